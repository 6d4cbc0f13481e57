package io.keyward.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.codec.EncryptionSpecCodec.Asked;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.ProviderSpec;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EncryptionSpecCodecTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # case                     | spec                              | mode or problem
          nothing                    | ``                                | IDENTITY
          an empty object            | {}                                | IDENTITY
          an empty type              | {"type":""}                       | IDENTITY
          identity                   | {"type":"identity"}               | IDENTITY
          aescbc                     | {"type":"aescbc"}                 | AESCBC
          aesgcm                     | {"type":"aesgcm"}                 | AESGCM
          secretbox                  | {"type":"secretbox"}              | SECRETBOX
          a mode in another case     | {"type":"kms"}                    | unknown encryption mode configured: kms
          KMS without a KMS          | {"type":"KMS"}                    | kms config is required when encryption type is KMS, and forbidden otherwise
          a KMS without KMS          | {"type":"aescbc","kms":{}}        | kms config is required when encryption type is KMS, and forbidden otherwise
          a KMS nobody knows         | {"type":"KMS","kms":{"type":"X"}} | unsupported KMS provider type "X"
          Vault without Vault        | {"type":"KMS","kms":{"type":"Vault"}} | vault config is required when kms provider type is Vault
          no object                  | [1]                               | is not an object
          """)
  void readsWhatTheAdminAsksFor(String name, String spec, String expected) {
    String said =
        switch (EncryptionSpecCodec.decode(spec)) {
          case Decoded.Good<Asked>(var asked) -> asked.mode().name();
          case Decoded.Bad<Asked>(var problem) -> problem.what();
        };
    assertThat(said).as(name).isEqualTo(expected);
  }

  @Test
  void aKmsIsReadAsThePluginGetsIt() {
    assertThat(
            EncryptionSpecCodec.decode("{\"type\":\"KMS\",\"kms\":" + KeySecretCodecTest.KMS + "}"))
        .isEqualTo(Decoded.good(new Asked(Mode.KMS, Optional.of(KeySecretCodecTest.plugin()))));
  }

  /// W24
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # case            | overrides                                                      | prefix         | timeout or problem
          none              | ``                                                             | ``             | -
          of other things   | {"encryption":{"reason":"leak"}}                               | ``             | -
          the shortest      | {"encryption":{"kms":{"timeout":"1s"}}}                        | ``             | 1s
          the longest       | {"encryption":{"kms":{"timeout":"60s"}}}                       | ``             | 60s
          below a prefix    | {"oauthAPIServer":{"encryption":{"kms":{"timeout":"15s"}}}}    | oauthAPIServer | 15s
          a leading zero    | {"encryption":{"kms":{"timeout":"05s"}}}                       | ``             | 5s
          too short         | {"encryption":{"kms":{"timeout":"0s"}}}                        | ``             | encryption.kms.timeout must be between 1s and 60s, for example 15s
          too long          | {"encryption":{"kms":{"timeout":"61s"}}}                       | ``             | encryption.kms.timeout must be between 1s and 60s, for example 15s
          another unit      | {"encryption":{"kms":{"timeout":"1m"}}}                        | ``             | encryption.kms.timeout must be between 1s and 60s, for example 15s
          a number          | {"encryption":{"kms":{"timeout":15}}}                          | ``             | encryption.kms.timeout must be between 1s and 60s, for example 15s
          """)
  void w24ReadsHowLongAnApiServerWaits(
      String name, String overrides, String prefix, String expected) {
    String said =
        switch (EncryptionSpecCodec.timeout(overrides, prefix)) {
          case Decoded.Good<Optional<String>>(var timeout) -> timeout.orElse("-");
          case Decoded.Bad<Optional<String>>(var problem) -> problem.what();
        };
    assertThat(said).as(name).isEqualTo(expected);
  }

  /// The first form of a plugin that a user runs.
  @Test
  void anEndpointWithoutATypeIsExternal() {
    assertThat(
            EncryptionSpecCodec.decode(
                "{\"type\":\"KMS\",\"kms\":{\"endpoint\":\"unix:///run/k.sock\"}}"))
        .isInstanceOfSatisfying(
            Decoded.Good.class,
            good ->
                assertThat(((Asked) good.value()).kms().orElseThrow().spec())
                    .isEqualTo(
                        new ProviderSpec(
                            "External", new TreeMap<>(Map.of("endpoint", "unix:///run/k.sock")))));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # case                     | overrides                                          | prefix         | reason or problem
          none                       | ``                                                 | ``             | ``
          of other things            | {"x":1}                                            | ``             | ``
          a reason                   | {"encryption":{"reason":"leak"}}                   | ``             | leak
          a reason below a prefix    | {"oauthAPIServer":{"encryption":{"reason":"leak"}}} | oauthAPIServer | leak
          a prefix that is not there | {"encryption":{"reason":"leak"}}                   | oauthAPIServer | ``
          YAML                       | `encryption: {reason: leak}`                       | ``             | leak
          no JSON                    | {"encryption":                                     | ``             | is not an object
          a reason that is a list    | {"encryption":{"reason":[1]}}                      | ``             | encryption.reason is not a text
          """)
  void readsTheReasonForARotation(String name, String overrides, String prefix, String expected) {
    String said =
        switch (EncryptionSpecCodec.reason(overrides, prefix)) {
          case Decoded.Good<String>(var reason) -> reason;
          case Decoded.Bad<String>(var problem) -> problem.what();
        };
    assertThat(said).as(name).isEqualTo(expected);
  }
}
