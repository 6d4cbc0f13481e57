package io.keyward.kms.plugin.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.config.ConfigProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManagedKeysTest {
  private static final String VAULT =
      """
      {"type":"Vault","vault":{"vaultAddress":"https://vault.example.com:8200",
       "vaultNamespace":"team","vaultKeyPath":"my/transit/keys/k",
       "tls":{"caBundle":{"name":"ca"},"serverName":"vault.internal"},
       "authentication":{"type":"AppRole","appRole":{"secret":{"name":"role"}}}}}
      """;

  @TempDir Path directory;

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  /// With two resources for each key, as an API server has it.
  private void config(int... serials) throws IOException {
    var text = new StringBuilder("{\"resources\":[");
    for (String resource : new String[] {"configmaps", "secrets"}) {
      text.append(text.toString().endsWith("[") ? "" : ",");
      text.append("{\"resources\":[\"").append(resource).append("\"],\"providers\":[");
      for (int serial : serials) {
        text.append(
            "{\"kms\":{\"apiVersion\":\"v2\",\"name\":\"%d_%s\",\"endpoint\":\"unix:///run/kms-%d.sock\",\"timeout\":\"10s\"}},"
                .formatted(serial, resource, serial));
      }
      text.append("{\"identity\":{}}]}");
    }
    write("encryption-config", text.append("]}").toString());
  }

  private void plugin(int serial, String kms) throws IOException {
    write(
        "kms-plugin-config-" + serial,
        "{\"kind\":\"APIServer\",\"spec\":{\"encryption\":{\"kms\":" + kms + "}}}");
  }

  private void credentials(int serial) throws IOException {
    write("kms-plugin-secret-role_role-id-" + serial, "the-role\n");
    write("kms-plugin-secret-role_secret-id-" + serial, "the secret\n");
    write("kms-plugin-configmap-ca_ca-bundle.crt-" + serial, "PEM");
  }

  private ManagedKeys.Found read(String... only) {
    KeySelection selection =
        only.length == 0 ? new KeySelection.Usual() : new KeySelection.Only(Set.of(only));
    return ManagedKeys.read(new RevisionDirectory(directory), selection);
  }

  private String refused(String... only) {
    try {
      ManagedKeys.Found found = read(only);
      assertThat(found.keys()).isEmpty();
      return found.leftOut().toString();
    } catch (ConfigException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void readsAKeyOfVaultWithItsFiles() throws IOException {
    config(7);
    plugin(7, VAULT);
    credentials(7);
    assertThat(read().leftOut()).isEmpty();
    assertThat(read().keys())
        .containsExactly(
            new ManagedKey(
                "7",
                "unix:///run/kms-7.sock",
                "vault",
                Map.of(
                    "address", "https://vault.example.com:8200",
                    "namespace", "team",
                    "mount", "my/transit",
                    "key", "k",
                    "caFile", directory + "/kms-plugin-configmap-ca_ca-bundle.crt-7",
                    "tlsServerName", "vault.internal",
                    "auth", "approle",
                    "roleId", "the-role",
                    "secretIdFile", directory + "/kms-plugin-secret-role_secret-id-7")));
  }

  /// Two keys whose references have the same names.
  @Test
  void w14EachKeyHasItsOwnFiles() throws IOException {
    config(8, 7);
    plugin(7, VAULT);
    plugin(8, VAULT.replace("keys/k", "keys/other"));
    credentials(7);
    credentials(8);
    write("kms-plugin-secret-role_role-id-8", "another-role");
    assertThat(read().keys())
        .extracting(key -> key.settings().get("roleId"))
        .containsExactly("the-role", "another-role");
  }

  @Test
  void leavesAUsersPluginAndAnotherImageAlone() throws IOException {
    config(3, 2, 1);
    plugin(1, "{\"type\":\"External\",\"external\":{\"endpoint\":\"unix:///run/kms-1.sock\"}}");
    plugin(2, VAULT.replace("{\"vaultAddress\"", "{\"kmsPluginImage\":\"a@b\",\"vaultAddress\""));
    plugin(3, VAULT);
    credentials(2);
    credentials(3);
    assertThat(read().keys()).extracting(ManagedKey::serial).containsExactly("3");
    assertThat(read("2").keys()).extracting(ManagedKey::serial).containsExactly("2");
  }

  @Test
  void leavesOutAKeyThatCannotBeServed() throws IOException {
    config(2, 1);
    plugin(1, VAULT);
    plugin(2, VAULT.replace("vaultNamespace", "vaultColour"));
    credentials(1);
    var found = read();
    assertThat(found.keys()).extracting(ManagedKey::serial).containsExactly("1");
    assertThat(found.leftOut()).containsOnlyKeys("2");
    assertThat(found.leftOut().get("2"))
        .extracting(ConfigProblem::problem)
        .anySatisfy(problem -> assertThat(problem).contains("the field vaultColour"))
        .contains("does not exist");
  }

  @Test
  void saysWhatIsMissing() throws IOException {
    assertThat(refused()).contains("encryption-config: does not exist");
    config();
    assertThat(read().keys()).isEmpty();
    config(1);
    assertThat(refused()).contains("kms-plugin-config-1: does not exist");
    assertThat(refused("9")).contains("names no KMS key 9");
    write("kms-plugin-config-1", "{");
    assertThat(refused()).contains("kms-plugin-config-1: is not a JSON document");
    plugin(1, "{\"type\":\"Azurite\"}");
    assertThat(refused()).contains("has the KMS type 'Azurite'");
    plugin(1, VAULT);
    assertThat(refused()).contains("kms-plugin-secret-role_secret-id-1: does not exist");
    credentials(1);
    plugin(1, VAULT.replace("AppRole\",", "Password\","));
    assertThat(refused()).contains("unknown value in authentication.type: Password");
    plugin(1, VAULT.replace("my/transit/keys/k", "k"));
    assertThat(refused()).contains("vaultKeyPath must be MOUNT/keys/NAME: k");
  }

  @Test
  void credentialsDependOnTheAuthenticationType() throws IOException {
    config(1);
    String ibm =
        """
        {"type":"IBMCloud","ibmCloud":{"instanceID":"i","rootKeyID":"r","region":"eu-de",
         "authentication":{"type":"TrustedProfile","profileID":"Profile-1"}}}
        """;
    plugin(1, ibm);
    assertThat(read().keys().getFirst().settings())
        .containsEntry("url", "https://eu-de.kms.cloud.ibm.com")
        .containsEntry("profileId", "Profile-1")
        .containsEntry("tokenFile", "/var/run/secrets/tokens/sa-token")
        .doesNotContainKey("apiKeyFile");
    plugin(1, ibm.replace("\"region\"", "\"endpoint\":\"https://hpcs.example\",\"region\""));
    assertThat(read().keys().getFirst().settings()).containsEntry("url", "https://hpcs.example");
    plugin(1, ibm.replace("\"TrustedProfile\",", "\"APIKey\",\"secret\":{\"name\":\"s\"},"));
    write("kms-plugin-secret-s_api-key-1", "k");
    assertThat(read().keys().getFirst().settings())
        .containsEntry("apiKeyFile", directory + "/kms-plugin-secret-s_api-key-1")
        .doesNotContainKey("tokenFile");
  }

  @Test
  void servesNoKeyIfNoneIsSelected() throws IOException {
    config(1);
    plugin(1, VAULT);
    credentials(1);
    var selection = new KeySelection.Only(Set.of());
    var found = ManagedKeys.read(new RevisionDirectory(directory), selection);
    assertThat(found.keys()).isEmpty();
    assertThat(found.leftOut()).isEmpty();
  }

  /// Settings may hold what a Secret holds.
  @Test
  void aKeyDoesNotPrintItsSettings() throws IOException {
    config(7);
    plugin(7, VAULT);
    credentials(7);
    assertThat(read().toString()).doesNotContain("the-role");
  }
}
