package io.keyward.kms.plugin.config;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.keyward.kms.local.LocalProviderFactory;
import java.util.Map;

/// Any text is read or refused; nothing else may happen. In the build the kept inputs are replayed;
/// `JAZZER_FUZZ=1 ./mvnw test -pl kms/plugin -am -Dtest=ConfigReaderFuzzTest` looks for new ones.
final class ConfigReaderFuzzTest {
  @FuzzTest(maxDuration = "60s")
  void everyTextIsReadOrRefused(FuzzedDataProvider data) {
    String yaml = data.consumeRemainingAsString();
    try {
      new ConfigReader(Map.of("local", new LocalProviderFactory())).read("fuzz.yaml", yaml);
    } catch (ConfigException e) {
      if (e.problems().isEmpty()) {
        throw new AssertionError("refused without a reason", e);
      }
    }
  }
}
