package io.keyward.core.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.key.KeyDecision.Idle;
import io.keyward.core.key.KeyDecision.Keep;
import io.keyward.core.key.KeyDecision.Mint;
import io.keyward.core.key.KeyDecision.Refresh;
import io.keyward.core.key.KeyDecision.Refuse;
import io.keyward.core.key.KeyDecision.Restore;
import io.keyward.core.key.KeyDecision.Retract;
import io.keyward.core.key.KeyDecision.Wait;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.model.kms.ProviderSpec;
import io.keyward.core.model.kms.ReferenceData;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyDeciderTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                          | wanted       | runs      | written | keys                  | preflight    | decision
          never on stays off                              | id           | -         | -       | -                     | -            | idle
          a rollout goes first                            | aes          | rolling   | -       | -                     | -            | wait ROLLOUT
          a failed rollout goes first                     | aes          | stuck     | -       | -                     | -            | wait ROLLOUT
          no key beside an existing configuration         | aes          | existing  | -       | -                     | -            | refuse ExistingEncryption
          no key beside an unknown revision               | aes          | unknown   | w1 r1   | 1:gcm+                | -            | refuse UnknownRevision
          no secret is restored beside it                 | aes          | unknown   | w3 r3   | 3:aes!                | -            | refuse UnknownRevision
          no key is withdrawn beside it                   | aes          | unknown   | w1 r2,1 | 2:kmsA- 1:aes+        | -            | refuse UnknownRevision
          no credential is refreshed beside it            | kmsA2        | unknown   | w3 r3   | 3:kmsA                | passed kmsA2 | refuse UnknownRevision
          first local key                                 | aes          | -         | -       | -                     | -            | mint 1 AESCBC key-does-not-exist
          KMS waits for its preflight                     | kmsA         | -         | -       | -                     | -            | wait PREFLIGHT
          a preflight of something else does not count    | kmsA         | -         | -       | -                     | passed kmsB  | wait PREFLIGHT
          W12 an old preflight does not count             | kmsA         | -         | -       | -                     | stale kmsA   | wait PREFLIGHT
          preflight passed                                | kmsA         | -         | -       | -                     | passed kmsA  | mint 1 KMS key-does-not-exist
          preflight failed                                | kmsA         | -         | -       | -                     | failed kmsA  | refuse PreflightCheckFailed
          W3 a failure of the old wish does not block     | kmsB         | -         | -       | -                     | failed kmsA  | wait PREFLIGHT
          a serial is never used twice                    | aes          | -         | -       | 4:aes~                | -            | mint 5 AESCBC key-does-not-exist
          W15 keys are never stacked                      | gcm          | w3 r3     | =       | 3:aes                 | -            | wait MIGRATION
          one resource is not enough                      | gcm          | w3 r3     | =       | 3:aes?                | -            | wait MIGRATION
          marks do not count while another key writes     | gcm          | w2 r3,2   | =       | 3:aes+ 2:aes+         | -            | wait MIGRATION
          a written configuration runs first              | gcm          | w3 r3     | w3 r4,3 | 3:aes+ 4:gcm          | -            | wait PUBLISHED
          old read keys leave first                       | gcm          | w3 r3,2,1 | =       | 3:aes+ 2:aes+ 1:aes+  | -            | wait READ_KEYS
          one that cannot be written again does not count | gcm          | w3 r3,2,1 | =       | 3:aes+ 2:aes+ 1:kmsA# | -            | mint 4 AESGCM encryption-mode-changed
          another mode                                    | gcm          | w3 r3,2   | =       | 3:aes+ 2:aes+         | -            | mint 4 AESGCM encryption-mode-changed
          off is a key too                                | id           | w3 r3     | =       | 3:kmsA+               | -            | mint 4 IDENTITY encryption-mode-changed
          off stays off                                   | id           | w3 r3,2   | =       | 3:id+P90D 2:aes+      | -            | keep
          another remote key                              | kmsB         | w3 r3     | =       | 3:kmsA+               | passed kmsB  | mint 4 KMS kms-provider-changed
          another remote key waits for its preflight      | kmsB         | w3 r3     | =       | 3:kmsA+               | -            | wait PREFLIGHT
          a KMS rotates by itself                         | kmsA         | w3 r3     | =       | 3:kmsA+P90D           | -            | keep
          W23 forced by a reason                          | aes because  | w3 r3     | =       | 3:aes+                | -            | mint 4 AESCBC external-reason-changed
          W23 a KMS can be forced too                     | kmsA because | w3 r3     | =       | 3:kmsA+               | passed kmsA  | mint 4 KMS external-reason-changed
          a reason counts once                            | aes because  | w3 r3     | =       | 3:aes+=               | -            | keep
          plaintext cannot be forced                      | id because   | w3 r3     | =       | 3:id+                 | -            | keep
          a local key of seven days                       | aes          | w3 r3     | =       | 3:aes+P7D             | -            | keep
          a local key of more than seven days             | aes          | w3 r3     | =       | 3:aes+P7DT1S          | -            | mint 4 AESCBC rotation-interval-has-passed
          W5 an image changes in place                    | kmsA2        | w3 r3     | =       | 3:kmsA+               | passed kmsA2 | refresh 3
          W5 also before its migration is over            | kmsA2        | w3 r3     | =       | 3:kmsA                | passed kmsA2 | refresh 3
          W5 also while instances cannot get ready        | kmsA2        | rolling   | w3 r3   | 3:kmsA                | passed kmsA2 | refresh 3
          W11 not before its preflight                    | kmsA2        | w3 r3     | =       | 3:kmsA+               | passed kmsA  | wait PREFLIGHT
          W2 a lost secret is written again               | aes          | w3 r3,2   | =       | 3:aes! 2:aes+         | -            | restore 3
          W2 a lost KMS secret too                        | kmsA         | w3 r3     | =       | 3:kmsA!               | -            | restore 3
          W2 only the socket of a KMS key is left         | kmsA         | w3 r3     | =       | 3:kmsA#               | passed kmsA  | mint 4 KMS encryption-config-key-3-not-backed-by-secret
          an edited secret too                            | aes          | w3 r3     | =       | 3:aes*                | -            | restore 3
          a secret pointed at another remote key too      | kmsA         | w3 r3     | =       | 3:kmsA*               | -            | restore 3
          a damaged secret too                            | aes          | w3 r3,2   | =       | 3:aes+ 2:aes~         | -            | restore 2
          lost while instances roll                       | aes          | rolling   | w3 r3   | 3:aes!                | -            | restore 3
          a plaintext key nobody wants is passed over     | aes          | w3 r4,3   | =       | 4:id 3:aes+           | -            | mint 5 AESCBC encryption-mode-changed
          a plaintext key that writes is finished         | aes          | w4 r4,3   | =       | 4:id 3:aes+           | -            | wait MIGRATION
          a bad key that is no longer asked for           | aes          | failing   | w1 r2,1 | 2:kmsA- 1:aes+        | -            | retract 2
          another KMS is asked for                        | kmsB         | failing   | w1 r2,1 | 2:kmsA- 1:aes+        | -            | retract 2
          a rollout that is stuck is no better            | aes          | stuck     | w1 r2,1 | 2:kmsA- 1:aes+        | -            | retract 2
          the first key too                               | id           | failing   | w- r1   | 1:kmsA-               | -            | retract 1
          not while its rollout goes on                   | aes          | rolling   | w1 r2,1 | 2:kmsA- 1:aes+        | -            | wait ROLLOUT
          not while it is asked for                       | kmsA         | failing   | w1 r2,1 | 2:kmsA- 1:aes+        | -            | wait ROLLOUT
          nor with another image                          | kmsA2        | failing   | w1 r2,1 | 2:kmsA- 1:aes+        | -            | wait ROLLOUT
          not once it may have written                    | aes          | failing   | w1 r2,1 | 2:kmsA 1:aes+         | -            | wait ROLLOUT
          not for a wish that cannot be followed          | bad          | failing   | w1 r2,1 | 2:kmsA- 1:aes+        | -            | wait ROLLOUT
          not for a KMS that nobody described             | none         | failing   | w1 r2,1 | 2:kmsA- 1:aes+        | -            | wait ROLLOUT
          only once                                       | aes          | failing   | w1 r2,1 | 2:kmsA/ 1:aes+        | -            | wait ROLLOUT
          lost secrets come before                        | aes          | failing   | w1 r2,1 | 2:kmsA- 1:aes!        | -            | restore 1
          what was withdrawn is passed over               | aes          | w1 r1     | =       | 2:kmsA/ 1:aes+        | -            | keep
          its serial is not used again                    | gcm          | w1 r1     | =       | 2:kmsA/ 1:aes+        | -            | mint 3 AESGCM encryption-mode-changed
          the same KMS may be asked for again             | kmsA         | w1 r1     | =       | 2:kmsA/ 1:aes+        | passed kmsA  | mint 3 KMS encryption-mode-changed
          the only one was withdrawn                      | kmsB         | w- r      | =       | 1:kmsA/               | passed kmsB  | mint 2 KMS key-does-not-exist
          the only one, and nothing is wanted             | id           | w- r      | =       | 1:kmsA/               | -            | keep
          what it refers to is not there                  | bad          | -         | -       | -                     | -            | refuse InvalidConfiguration
          KMS without a configuration                     | none         | w3 r3     | =       | 3:kmsA+               | -            | refuse InvalidConfiguration
          lost secrets come first all the same            | bad          | w3 r3     | =       | 3:aes!                | -            | restore 3
          """)
  void decides(
      String name,
      String wanted,
      String runs,
      String written,
      String keys,
      String preflight,
      String decision) {
    var seen =
        new Notation()
            .wanted(wanted)
            .keys(keys)
            .rollout(runs)
            .published(written)
            .preflight(preflight)
            .state();
    assertThat(show(KeyDecider.decide(seen))).as(name).isEqualTo(decision);
  }

  /// Asked for is the fingerprint that others look at; the result carries its own.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                      | asked for | result      | decision
          nothing was tried                           | -         | -           | wait PREFLIGHT
          another configuration was asked for         | kmsB      | -           | wait PREFLIGHT
          W3 another one passed                       | kmsB      | passed kmsB | wait PREFLIGHT
          W3 another one failed                       | kmsB      | failed kmsB | wait PREFLIGHT
          it was asked for                            | kmsA      | -           | wait PREFLIGHT
          it was asked for, and another one passed    | kmsA      | passed kmsB | wait PREFLIGHT
          W3 it was asked for, and another one failed | kmsA      | failed kmsB | wait PREFLIGHT
          it passed                                   | kmsA      | passed kmsA | mint 1 KMS key-does-not-exist
          W12 it passed too long ago                  | kmsA      | stale kmsA  | wait PREFLIGHT
          it failed                                   | kmsA      | failed kmsA | refuse PreflightCheckFailed
          a result counts for what it was made of     | kmsB      | passed kmsA | mint 1 KMS key-does-not-exist
          """)
  void lets(String name, String asked, String result, String decision) {
    var noted = new Notation().preflight(result).state().activity().preflight().result();
    Optional<Fingerprint> observed =
        asked.equals("-") ? Optional.empty() : Optional.of(Notation.kms(asked).config());
    var seen =
        new Notation()
            .wanted("kmsA")
            .rollout("-")
            .preflight(new PreflightState(observed, noted, Optional.empty()))
            .state();
    assertThat(show(KeyDecider.decide(seen))).as(name).isEqualTo(decision);
  }

  @Test
  void aLoneResourceIsNamedInTheReason() {
    var seen = new Notation().wanted("aes", "", "routes.route.openshift.io").rollout("-").state();
    assertThat(show(KeyDecider.decide(seen))).isEqualTo("mint 1 AESCBC routes-key-does-not-exist");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                            | wanted | keys            | references        | preflight                  | decision
          W5 new credentials of the newest key              | kmsA2  | 2:kmsA+ 1:kmsB+ | -                 | passed kmsA2               | refresh 2 as kmsA2
          W14 the same Secret has those of the newest alone | kmsA2  | 2:kmsA+ 1:kmsB+ | 1:kmsB            | passed kmsA2               | refresh 2 as kmsA2
          W5 new credentials of an older key                | kmsA   | 2:kmsA+ 1:kmsB+ | 1:kmsB2           | passed kmsB2               | refresh 1 as kmsB2
          both                                              | kmsA2  | 2:kmsA+ 1:kmsB+ | 1:kmsB2           | passed kmsA2, passed kmsB2 | refresh 2 as kmsA2 1 as kmsB2
          those of the older key fail                       | kmsA2  | 2:kmsA+ 1:kmsB+ | 1:kmsB2           | passed kmsA2, failed kmsB2 | refresh 2 as kmsA2
          W14 the older key keeps what works                | kmsA   | 2:kmsA+ 1:kmsB+ | 1:kmsB2           | failed kmsB2               | keep
          the older key was not tried yet                   | kmsA   | 2:kmsA+ 1:kmsB+ | 1:kmsB2           | -                          | keep
          the older key does not block the next one         | aes    | 2:kmsA+ 1:kmsB+ | 1:kmsB2           | failed kmsB2               | mint 3 AESCBC encryption-mode-changed
          its Secret is gone                                | kmsA   | 2:kmsA+ 1:kmsB+ | 1:missing         | -                          | keep
          W5 a KMS that nobody requests any more            | aes    | 2:aes+ 1:kmsB+  | 1:kmsB2           | passed kmsB2               | refresh 1 as kmsB2
          W5 a KMS that is being left                       | aes    | 1:kmsB+         | 1:kmsB2           | passed kmsB2               | refresh 1 as kmsB2
          """)
  void givesEachKeyWhatItsOwnReferencesContain(
      String name,
      String wanted,
      String keys,
      String references,
      String preflight,
      String decision) {
    var seen =
        new Notation()
            .wanted(wanted)
            .keys(keys)
            .rollout(keys.contains("2:") ? "w2 r2,1" : "w1 r1")
            .published("=")
            .references(references)
            .preflight(preflight)
            .state();
    KeyDecision made = KeyDecider.decide(seen);
    assertThat(made instanceof Refresh refresh ? refreshed(refresh) : show(made))
        .as(name)
        .isEqualTo(decision);
  }

  /// By the configurations whose credentials they hold now. No key gets those of another one.
  private static String refreshed(Refresh refresh) {
    var text = new StringBuilder("refresh");
    for (Key key : refresh.keys()) {
      var kms = key.kms().orElseThrow();
      String kind = key.serial().value() == 1 ? "kmsB" : "kmsA";
      String plugin = kms.plugin().orElseThrow().document().substring("document ".length());
      assertThat(plugin).startsWith(kind);
      text.append(' ').append(key.serial()).append(" as ").append(kind);
      text.append(kms.secrets().equals(Notation.kms(kind + "2").secrets()) ? "2" : "");
    }
    return text.toString();
  }

  @Test
  void w24TheTimeoutOfAnExternalPluginChangesInPlace() {
    assertThat(external("3s").keyFor(KeySerial.FIRST).endpoint())
        .isEqualTo(new KmsEndpoint("v2", "unix:///kms.sock", "3s"));
    var held = external("3s").keyFor(KeySerial.FIRST);
    var fresh = external("5s").keyFor(KeySerial.FIRST);
    assertThat(fresh.remoteKey()).isEqualTo(held.remoteKey());
    assertThat(held.endpoint().within("5s")).isEqualTo(fresh.endpoint());
  }

  private static RequestedEncryption.Kms external(String timeout) {
    var fields = new TreeMap<String, String>();
    fields.put("endpoint", "unix:///kms.sock");
    fields.put("timeout", timeout);
    return new RequestedEncryption.Kms(
        new KmsPluginConfig("", new ProviderSpec("External", fields)),
        ReferenceData.NONE,
        ReferenceData.NONE,
        new Fingerprint("external"));
  }

  @Test
  void aMintedKeyCarriesTheConfigurationThatPassed() {
    var seen = new Notation().wanted("kmsA").rollout("-").preflight("passed kmsA").state();
    assertThat(KeyDecider.decide(seen))
        .isInstanceOfSatisfying(
            Mint.class,
            mint -> assertThat(mint.kms()).contains(Notation.kms("kmsA").keyFor(KeySerial.FIRST)));
  }

  @Test
  void w22SkipsASerialThatAnUnreadableSecretHolds() {
    var seen =
        new Notation().wanted("gcm").keys("3:aes+ 9:aes~").rollout("w3 r3").published("=").state();
    assertThat(show(KeyDecider.decide(seen))).startsWith("mint 10 ");
  }

  private static String show(KeyDecision decision) {
    return switch (decision) {
      case Idle _ -> "idle";
      case Keep _ -> "keep";
      case Wait(var blocker, _) -> "wait " + blocker;
      case Restore(var keys) -> "restore " + serials(keys);
      case Mint mint -> "mint " + mint.serial() + " " + mint.mode() + " " + mint.internalReason();
      case Refresh(var keys) -> "refresh " + serials(keys);
      case Retract(var key) -> {
        assertThat(key.stage()).isEqualTo(KeyStage.RETRACTED);
        yield "retract " + key.serial();
      }
      case Refuse(var reason, _) -> "refuse " + reason;
    };
  }

  private static String serials(List<Key> keys) {
    return keys.stream().map(key -> key.serial().toString()).collect(Collectors.joining(","));
  }
}
