package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that a document names exist. A renamed test would otherwise prove nothing for ever.
final class DocumentedNamesTest {
  /// `SomeTest`, `SomeIT.aMethod`, or a method of the contract or of KnownFaultsTest alone.
  private static final Pattern NAME =
      Pattern.compile("`(?:([A-Z]\\w*(?:Test|IT|Contract))\\.?)?([a-z]\\w{11,})?(?:\\(\\w*\\))?`");

  private static Map<String, String> sources() throws IOException {
    var sources = new TreeMap<String, String>();
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      for (Path file : files.filter(DocumentedNamesTest::isTest).toList()) {
        sources.merge(
            file.getFileName().toString().replace(".java", ""),
            Files.readString(file),
            String::concat);
      }
    }
    return sources;
  }

  private static boolean isTest(Path file) {
    String name = file.toString();
    return name.endsWith(".java")
        && !name.contains("/target/")
        && (name.contains("/src/test/") || name.contains("kms/tck/src/main"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"known-faults.md", "controllers/README.md"})
  void everyTestThatADocumentNamesExists(String document) throws IOException {
    Map<String, String> sources = sources();
    String all = String.join("\n", sources.values());
    List<String> missing = new ArrayList<>();
    int found = 0;
    Matcher names = NAME.matcher(Files.readString(Path.of("../docs", document)));
    while (names.find()) {
      String type = names.group(1);
      String method = names.group(2);
      if (type == null && method == null) {
        continue;
      }
      String source = type == null ? all : sources.getOrDefault(type, "");
      boolean isThere =
          !source.isEmpty() && (method == null || source.contains("void " + method + "("));
      if (isThere) {
        found++;
      } else if (type != null || method.matches("fault.*|.*[a-z][A-Z].*[a-z][A-Z].*")) {
        missing.add(names.group());
      }
    }
    assertThat(missing).isEmpty();
    assertThat(found).isGreaterThan(5);
  }
}
