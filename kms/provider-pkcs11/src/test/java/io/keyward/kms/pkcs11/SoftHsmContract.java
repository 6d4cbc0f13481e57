package io.keyward.kms.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Secret;
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
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What holds for every mechanism, against SoftHSM, a real PKCS#11 module in software.
abstract class SoftHsmContract extends KmsProviderContract {
  static final Secret DEK = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));
  static final AtomicInteger NUMBER = new AtomicInteger();

  @TempDir static Path directory;
  static SoftHsm hsm;

  private final List<KmsProvider> opened = new ArrayList<>();
  private final String mechanism;
  final Pkcs11ProviderFactory factory = new Pkcs11ProviderFactory();
  String key;
  private int versions;
  Pkcs11Provider provider;

  SoftHsmContract(String mechanism) {
    this.mechanism = mechanism;
  }

  /// One for all tests of this JVM: a module that runs does not see new tokens. Another one in each
  /// run, because the tokens of earlier runs are still there. The surefire configuration names the
  /// directory for the module.
  private static final class Shared {
    static final SoftHsm HSM =
        SoftHsm.create(
            Path.of(System.getProperty("softhsm.directory")),
            "t" + UUID.randomUUID().toString().substring(0, 8));
  }

  @BeforeAll
  static void createToken() throws IOException {
    hsm = Shared.HSM;
    Files.writeString(directory.resolve("pin"), SoftHsm.PIN + "\n");
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

  static TokenChoice token() {
    return new TokenChoice(Optional.of(hsm.token()), Optional.empty());
  }

  KmsProvider opened(Map<String, String> settings) {
    KmsProvider made = factory.create(settings(settings));
    opened.add(made);
    return made;
  }

  ProviderSettings settings(Map<String, String> settings) {
    var all = new HashMap<>(settings);
    all.putIfAbsent("module", SoftHsm.module().toString());
    if (!all.containsKey("tokenSerial")) {
      all.putIfAbsent("tokenLabel", hsm.token());
    }
    if (!all.containsKey("keyId")) {
      all.putIfAbsent("keyLabel", key + "*");
    }
    all.putIfAbsent("mechanism", mechanism);
    all.putIfAbsent("pinFile", directory.resolve("pin").toString());
    all.putIfAbsent("reloadInterval", "1h"); // these tests say when the token is looked at
    return new ProviderSettings(all);
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
  void aKeyIsChosenByItsId() {
    String first = "aa%04x".formatted(NUMBER.incrementAndGet());
    String second = "bb" + first;
    hsm.createKey("id-" + second, second); // made first: the configured order counts
    hsm.createKey("id-" + first, first);
    Wrapped old = opened(Map.of("keyId", first)).wrap(DEK, TIMEOUT);
    assertThat(opened(Map.of("keyLabel", "id-" + first)).wrap(DEK, TIMEOUT).kek())
        .isEqualTo(old.kek());
    KmsProvider both =
        opened(Map.of("keyId", first + ", " + second.toUpperCase(java.util.Locale.ROOT)));
    assertThat(both.wrap(DEK, TIMEOUT).kek())
        .isEqualTo(opened(Map.of("keyId", second)).wrap(DEK, TIMEOUT).kek())
        .isNotEqualTo(old.kek());
    assertThat(both.unwrap(old, TIMEOUT)).isEqualTo(DEK);
  }

  /// Reading goes on; what wraps would be a matter of chance. Two labels, because the JDK's own
  /// keystore wants nothing to do with a token that has one twice.
  @Test
  void twoKeysWithOneIdDoNotWrap() {
    String id = "cc%04x".formatted(NUMBER.incrementAndGet());
    hsm.createKey("one-" + id, id);
    Wrapped before = opened(Map.of("keyId", id)).wrap(DEK, TIMEOUT);
    hsm.createKey("another-" + id, id);
    KmsProvider both = opened(Map.of("keyId", id));
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> both.wrap(DEK, TIMEOUT))
        .matches(e -> e.describe().contains("two keys of the token have the label or id"));
    assertThat(both.unwrap(before, TIMEOUT)).isEqualTo(DEK);
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
  static void closeAllSessions() throws Throwable {
    long slot = TokenFinder.slotOf(Cryptoki.of(SoftHsm.module()), token());
    var library = SymbolLookup.libraryLookup(SoftHsm.module(), Arena.global());
    var function =
        Linker.nativeLinker()
            .downcallHandle(
                library.find("C_CloseAllSessions").orElseThrow(),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    assertThat((long) function.invoke(slot)).isZero();
  }
}
