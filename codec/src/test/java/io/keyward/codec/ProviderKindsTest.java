package io.keyward.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProviderKindsTest {
  private static final String AES =
      "aescbc: {keys: [{name: k, secret: c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ=}]}";

  private static String read(String text) {
    return ProviderKinds.existing(text.getBytes(UTF_8)).orElse("-");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # resources             | providers                         | existing
          secrets                 | {identity: {}}                    | -
          '*.*'                   | {identity: {}}                    | -
          secrets                 | {AES}                             | aescbc for secrets
          secrets                 | {identity: {}}, {AES}             | aescbc for secrets
          secrets, configmaps     | {AES}, {kms: {name: x}}           | aescbc for configmaps, secrets and kms for configmaps, secrets
          '*.apps'                | {kms: {apiVersion: v2, name: x}}  | kms for *.apps
          a, b, c, d, e, f, g     | {secretbox: {keys: []}}           | secretbox for a, b, c, d, e and 2 more
          secrets                 | {rot13: {}}                       | a configuration that Keyward cannot read
          secrets                 | {identity: {}, AES}               | a configuration that Keyward cannot read
          secrets                 | identity                          | a configuration that Keyward cannot read
          secrets                 |                                   | a configuration that Keyward cannot read
          """)
  void namesKindsAndResourcesAlone(String resources, String providers, String existing) {
    String config =
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: [%s]
          providers: [%s]
        """
            .formatted(
                resources.contains("*") ? "'" + resources + "'" : resources,
                providers == null ? "" : providers.replace("AES", AES));
    assertThat(read(config)).isEqualTo(existing);
  }

  @Test
  void whateverIsNotUnderstoodMayHoldAKey() {
    String unreadable = "a configuration that Keyward cannot read";
    String good =
        "kind: EncryptionConfiguration\nresources: [{resources: [s], providers: [{identity: {}}]}]";
    assertThat(read(good)).isEqualTo("-");
    for (String text :
        new String[] {
          "",
          "[]",
          "{",
          "kind: EncryptionConfiguration",
          "kind: EncryptionConfiguration\nresources: []",
          good.replace("EncryptionConfiguration", "Pod"),
          good + "\n---\n" + good,
          good + "\nkind: EncryptionConfiguration",
        }) {
      assertThat(read(text)).as(text).isEqualTo(unreadable);
    }
    assertThat(ProviderKinds.existing(new byte[] {(byte) 0xff})).contains(unreadable);
  }

  @Test
  void theOldKindIsKnown() {
    assertThat(
            read(
                "kind: EncryptionConfig\nresources: [{resources: [s], providers: [{"
                    + AES
                    + "}]}]"))
        .isEqualTo("aescbc for s");
  }
}
