package io.keyward.kms.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.SettingsException;
import io.keyward.testbed.SoftHsm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
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
    assertThat(refusal(Map.of("keyLabel", "nobody"))).contains("no AES key with this label");
    assertThat(refusal(Map.of("keyId", "ffffff"))).contains("no AES key with this label or id");
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
