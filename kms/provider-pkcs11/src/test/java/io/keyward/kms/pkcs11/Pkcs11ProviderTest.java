package io.keyward.kms.pkcs11;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.SettingsException;
import io.keyward.kms.spi.Wrapped;
import io.keyward.testbed.SoftHsm;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.security.Provider;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The contract with AES-GCM, and what does not depend on the mechanism.
final class Pkcs11ProviderTest extends SoftHsmContract {
  Pkcs11ProviderTest() {
    super("AES-GCM");
  }

  /// The second key of the same token must not try it either. That the PIN is not shown to the
  /// token is seen by making it right behind the plugin's back: the file's time stays the same.
  @Test
  void aRefusedPinIsTriedAgainOnlyWhenItsFileChanges() throws Throwable {
    Path pin = Files.writeString(directory.resolve("pin" + key), "9999\n");
    closeAllSessions(); // logged in is logged in, for the whole process
    KmsProvider wrong = opened(Map.of("pinFile", pin.toString()));
    refusesThePin(wrong);
    provider.wrap(DEK, TIMEOUT); // somebody logs in: now any PIN would do
    refusesThePin(wrong);
    refusesThePin(opened(Map.of("pinFile", pin.toString())));

    closeAllSessions();
    Files.writeString(pin, SoftHsm.PIN);
    Files.setLastModifiedTime(pin, FileTime.from(Instant.now().plusSeconds(5)));
    assertThat(wrong.unwrap(wrong.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }

  private static void refusesThePin(KmsProvider wrong) {
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> wrong.wrap(DEK, TIMEOUT))
        .matches(e -> e.kind() == Kind.DENIED)
        .matches(e -> e.describe().contains("refuses the PIN") && !e.describe().contains("9999"));
  }

  /// The JDK's provider would begin two operations for each call, and end the first by a decryption
  /// that fails.
  @Test
  void oneOperationOfTheTokenPerCall() throws Exception {
    KmsProvider watched = opened(Map.of("module", SoftHsm.spy().toString()));
    Wrapped wrapped = watched.wrap(DEK, TIMEOUT);
    Path output = Path.of(System.getProperty("spy.output"));
    Files.writeString(output, "");
    assertThat(watched.unwrap(watched.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
    assertThat(watched.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
    List<String> functions =
        Files.readAllLines(output, ISO_8859_1).stream()
            .filter(line -> line.matches("[0-9]+: C_.*"))
            .map(line -> line.replaceFirst("[0-9]+: ", ""))
            .toList();
    assertThat(functions)
        .containsExactly(
            "C_EncryptInit",
            "C_Encrypt",
            "C_DecryptInit",
            "C_Decrypt",
            "C_DecryptInit",
            "C_Decrypt");
  }

  /// What the JDK's provider wrapped in earlier versions must open for ever.
  @Test
  void theJdksProviderMakesAndOpensTheSame() throws Exception {
    Wrapped ours = provider.wrap(DEK, TIMEOUT);
    byte[] made = ours.ciphertext().toArray();
    assertThat(
            jdk(Cipher.DECRYPT_MODE, ours.kek(), made, Arrays.copyOfRange(made, 13, made.length)))
        .isEqualTo(DEK.reveal());

    byte[] theirs = jdk(Cipher.ENCRYPT_MODE, ours.kek(), made, DEK.reveal());
    byte[] all = ByteBuffer.allocate(13 + theirs.length).put(made, 0, 13).put(theirs).array();
    var wrapped = new Wrapped(ours.kek(), Bytes.copyOf(all), ours.annotations());
    assertThat(provider.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
  }

  /// @param header begins with a byte and the nonce
  private byte[] jdk(int mode, KekId kek, byte[] header, byte[] data) throws Exception {
    long slot = TokenFinder.slotOf(Cryptoki.of(SoftHsm.module()), token());
    var login = new HsmLogin(SoftHsm.module(), directory.resolve("pin"), new RefusedPins());
    Provider jdk = login.open(slot);
    KeyStore store = KeyStore.getInstance("PKCS11", jdk);
    store.load(null, null);
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", jdk);
    cipher.init(mode, store.getKey(key + "1", null), new GCMParameterSpec(128, header, 1, 12));
    cipher.updateAAD(kek.value().getBytes(UTF_8));
    return cipher.doFinal(data);
  }

  /// A call of a module cannot be made to hang, so what stands before it is shown alone.
  @Test
  void aModuleThatHangsCostsNoMoreThanTheTimeout() {
    var never = new CountDownLatch(1);
    try (var access = new HsmAccess(Pkcs11Settings.of(settings(Map.of())), new RefusedPins())) {
      long begin = System.nanoTime();
      assertThatExceptionOfType(KmsException.class)
          .isThrownBy(
              () -> access.call(Duration.ofMillis(300), Optional.empty(), _ -> waits(never)))
          .matches(e -> e.kind() == Kind.TIMEOUT);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
    }
  }

  private static boolean waits(CountDownLatch never) {
    try {
      never.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  @Test
  void aMissingTokenKeyOrModuleIsSaidInWords() {
    assertThat(refusal(Map.of("tokenLabel", "nobody"))).contains("no token with the configured");
    assertThat(refusal(Map.of("tokenSerial", "0"))).contains("no token", "serial number 0");
    assertThat(refusal(Map.of("keyLabel", "nobody"))).contains("no AES key with this label");
    assertThat(refusal(Map.of("keyId", "ffffff"))).contains("no AES key with this label or id");
    assertThat(refusal(Map.of("module", "/nowhere.so"))).contains("cannot be loaded");
    assertThat(refusal(Map.of("pinFile", "/nowhere"))).contains("does not exist");
  }

  @Test
  void findsATokenByItsSerialNumber() {
    Cryptoki module = Cryptoki.of(SoftHsm.module());
    String serial =
        module.slots().stream()
            .flatMap(slot -> module.token(slot).stream())
            .filter(token -> token.label().equals(hsm.token()))
            .findFirst()
            .orElseThrow()
            .serial();
    assertThat(serial).isNotEmpty();
    assertThat(opened(Map.of("tokenSerial", serial)).wrap(DEK, TIMEOUT).kek())
        .isEqualTo(provider.wrap(DEK, TIMEOUT).kek());
    opened(Map.of("tokenSerial", serial, "tokenLabel", hsm.token())).wrap(DEK, TIMEOUT);
    assertThat(refusal(Map.of("tokenSerial", serial, "tokenLabel", "nobody"))).contains("no token");
  }

  /// SoftHSM lets every key do everything, so the codes are shown alone.
  @ParameterizedTest
  @CsvSource({
    "0x70, the token has no AES-GCM",
    "0x71, the token has no AES-GCM",
    "0x68, the key does not allow AES-GCM; it needs CKA_ENCRYPT and CKA_DECRYPT",
    "0xb3, C_Encrypt returned 0xb3"
  })
  void whatTheTokenDoesNotAllowIsSaidInWords(String code, String words) {
    var answer = new CryptokiException("C_Encrypt", Long.decode(code));
    assertThat(GcmKey.explained(answer)).hasMessageContaining(words);
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
    "keyId, 0a1, keyId",
    "keyId, '0a,0A', keyId",
    "mechanism, AES-CBC, mechanism",
    "reloadInterval, 1ms, reloadInterval"
  })
  void settingsThatCannotWorkAreRefused(String setting, String value, String named) {
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> opened(Map.of(setting, value)))
        .matches(e -> e.setting().equals(named));
  }

  @Test
  void aKeyHasALabelOrAnIdAndNotBoth() {
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> opened(Map.of("keyLabel", "a", "keyId", "0a")))
        .matches(e -> e.setting().equals("keyLabel"));
  }
}
