package io.keyward.kms.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Settings;
import io.keyward.kms.spi.SettingsException;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.KmsProviderContract;
import io.keyward.testbed.SoftHsm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Against SoftHSM, a real PKCS#11 module in software.
final class Pkcs11ProviderTest extends KmsProviderContract {
  private static final Secret DEK = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));
  private static final AtomicInteger NUMBER = new AtomicInteger();

  @TempDir private static Path directory;
  private static SoftHsm hsm;

  private final List<KmsProvider> opened = new ArrayList<>();
  private String key;
  private int versions;
  private Pkcs11Provider provider;

  @BeforeAll
  static void createToken() throws IOException {
    // The surefire configuration names this file for the module, which reads it once.
    hsm = SoftHsm.create(Path.of(System.getProperty("softhsm.directory")), token());
    Files.writeString(directory.resolve("pin"), SoftHsm.PIN + "\n");
    Files.writeString(directory.resolve("wrong"), "9999\n");
  }

  /// Another one in each run: the tokens of earlier runs are still there.
  private static String token() {
    return "t" + UUID.randomUUID().toString().substring(0, 8);
  }

  @BeforeEach
  void createKey() {
    key = "kek" + NUMBER.incrementAndGet() + "-v";
    versions = 0;
    hsm.createKey(key + ++versions);
    provider = (Pkcs11Provider) opened(Map.of());
  }

  @AfterEach
  void close() {
    opened.forEach(KmsProvider::close);
  }

  private KmsProvider opened(Map<String, String> settings) {
    var all = new HashMap<>(settings);
    all.putIfAbsent("module", SoftHsm.module().toString());
    all.putIfAbsent("tokenLabel", hsm.token());
    all.putIfAbsent("keyLabel", key + "*");
    all.putIfAbsent("pinFile", directory.resolve("pin").toString());
    all.putIfAbsent("reloadInterval", "1h"); // these tests say when the token is looked at
    KmsProvider made = new Pkcs11ProviderFactory().create(new Settings(all));
    opened.add(made);
    return made;
  }

  @Override
  protected KmsProvider provider() {
    return provider;
  }

  @Override
  protected KmsProvider reopened() {
    return opened(Map.of());
  }

  @Override
  protected KmsProvider otherKey() {
    String other = "other" + NUMBER.incrementAndGet();
    hsm.createKey(other);
    return opened(Map.of("keyLabel", other));
  }

  @Override
  protected void rotate() {
    hsm.createKey(key + ++versions);
    provider.refresh();
  }

  @Test
  void theTenthVersionIsNewerThanTheNinth() {
    hsm.createKey(key + "9");
    hsm.createKey(key + "10");
    provider.refresh();
    Wrapped tenth = provider.wrap(DEK, TIMEOUT);
    KmsProvider exactly = opened(Map.of("keyLabel", key + "10"));
    assertThat(exactly.wrap(DEK, TIMEOUT).kek()).isEqualTo(tenth.kek());
  }

  @Test
  void aLostSessionCostsOneLogin() throws Throwable {
    Wrapped before = provider.wrap(DEK, TIMEOUT);
    closeAllSessions();
    assertThat(provider.unwrap(before, TIMEOUT)).isEqualTo(DEK);
    closeAllSessions();
    assertThat(provider.wrap(DEK, TIMEOUT).kek()).isEqualTo(before.kek());
  }

  @SuppressWarnings("restricted")
  private static void closeAllSessions() throws Throwable {
    long slot = TokenFinder.slotOf(SoftHsm.module(), hsm.token());
    var library = SymbolLookup.libraryLookup(SoftHsm.module(), Arena.global());
    var function =
        Linker.nativeLinker()
            .downcallHandle(
                library.find("C_CloseAllSessions").orElseThrow(),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    assertThat((long) function.invoke(slot)).isZero();
  }

  @Test
  void aWrongPinIsDeniedAndNotShown() throws Throwable {
    Path pin = Files.copy(directory.resolve("wrong"), directory.resolve("pin" + key));
    // Logged in is logged in, for the whole process: only a token without sessions asks again.
    closeAllSessions();
    KmsProvider wrong = opened(Map.of("pinFile", pin.toString()));
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> wrong.wrap(DEK, TIMEOUT))
        .matches(e -> e.kind() == Kind.DENIED)
        .matches(e -> e.describe().contains("refuses the PIN") && !e.describe().contains("9999"));
    Files.writeString(pin, SoftHsm.PIN);
    assertThat(wrong.unwrap(wrong.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void aMissingTokenKeyOrModuleIsSaidInWords() {
    assertThat(refusal(Map.of("tokenLabel", "nobody"))).contains("no token with the configured");
    assertThat(refusal(Map.of("keyLabel", "nobody"))).contains("no AES key with this label");
    assertThat(refusal(Map.of("module", "/nowhere.so"))).contains("cannot be loaded");
    assertThat(refusal(Map.of("pinFile", "/nowhere"))).contains("does not exist");
  }

  private String refusal(Map<String, String> settings) {
    KmsProvider made = opened(settings);
    try {
      made.wrap(DEK, TIMEOUT);
      throw new AssertionError("must be refused");
    } catch (KmsException e) {
      return e.describe();
    }
  }

  @Test
  void theReportSaysWhetherThereIsAKey() {
    assertThat(provider.report(TIMEOUT).state()).isEqualTo(KekReport.State.ENABLED);
  }

  @ParameterizedTest
  @CsvSource({
    "module, relative.so, module",
    "slot, 1, tokenLabel",
    "slot, first, slot",
    "keyLabel, *, keyLabel",
    "keyLabel, a*b, keyLabel",
    "reloadInterval, 1ms, reloadInterval"
  })
  void settingsThatCannotWorkAreRefused(String setting, String value, String named) {
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> opened(Map.of(setting, value)))
        .matches(e -> e.setting().equals(named));
  }
}
