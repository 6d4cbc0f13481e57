package io.keyward.core.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.Problem;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.KeyStack.Slot;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ProviderSpec;
import io.keyward.core.model.kms.ReferenceData;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SidecarPlannerTest {
  private static final String OTHER = "vault.example.com/plugin@sha256:ab";
  private static final String MIRROR = "mirror.example.com/keyward@sha256:cd";
  private static final PluginImages IMAGES =
      new PluginImages(Optional.of("keyward:1"), new TreeSet<>(List.of(MIRROR)));

  /// A key is `serial:type` or `serial:type@image`, where an image is `other` or `mirror`.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                | keys                         | containers
          no KMS                                | 1:aes                        | -
          a plugin of a user                    | 1:External                   | -
          one key                               | 1:Vault                      | keyward-kms-plugin plugin-vault 1
          two keys of one type share a process  | 2:Vault 1:Vault              | keyward-kms-plugin plugin-vault 2,1
          keys of two types as well             | 2:AWS 1:Vault                | keyward-kms-plugin plugin 2,1
          beside a plugin of a user             | 2:AWS 1:External             | keyward-kms-plugin plugin-aws 2
          another image has its own container   | 1:Vault@other                | vault-kms-plugin-1 - -; keyward-kms-plugin plugin none
          beside a key of Keyward               | 3:Vault 2:AWS 1:Vault@other  | vault-kms-plugin-1 - -; keyward-kms-plugin plugin 3,2
          a copy of Keyward's image             | 2:Vault 1:Vault@mirror       | keyward-kms-plugin-1 plugin-vault 1; keyward-kms-plugin plugin-vault 2
          """)
  void plansContainers(String name, String keys, String containers) {
    Sidecars planned = SidecarPlanner.plan("kube-apiserver", layout(keys), IMAGES);
    assertThat(show(planned)).as(name).isEqualTo(containers);
    assertThat(planned.isEmpty()).isEqualTo(planned.sockets().isEmpty());
  }

  private static String show(Sidecars sidecars) {
    var all = new ArrayList<String>();
    for (PluginContainer one : sidecars.containers()) {
      String program =
          one.command().isEmpty()
              ? "-"
              : one.command().getLast().replaceAll("@/opt/keyward/lib/(.*)\\.args", "$1");
      String keys =
          one.arguments().stream()
              .filter(word -> word.startsWith("--keys="))
              .map(word -> word.substring("--keys=".length()))
              .findFirst()
              .orElse("-");
      all.add(one.name() + " " + program + " " + keys);
    }
    return all.isEmpty() ? "-" : String.join("; ", all);
  }

  /// Only one container monitors the pod, whatever it serves.
  @Test
  void monitorsAllPluginsOfThePodOnce() {
    Sidecars planned =
        SidecarPlanner.plan("kube-apiserver", layout("2:Vault@mirror 1:Vault@other"), IMAGES);
    assertThat(planned.containers().stream().filter(PluginContainer::monitors)).hasSize(1);
    assertThat(planned.containers().getLast().arguments())
        .contains("--monitor-file=/run/keyward/monitor/kube-apiserver.json", "--keys=none")
        .contains("--component=kube-apiserver");
  }

  /// A pod that is tested shares the network of its node with the one that runs.
  @Test
  void aTrialMonitorsNothingAndListensNowhere() {
    Sidecars planned = SidecarPlanner.trial(layout("2:AWS 1:Vault@other"), IMAGES);
    assertThat(planned.containers()).noneMatch(PluginContainer::monitors);
    assertThat(planned.containers().stream().flatMap(one -> one.arguments().stream()))
        .noneMatch(word -> word.startsWith("--listen") || word.startsWith("--monitor"));
    assertThat(show(SidecarPlanner.trial(layout("1:Vault@other"), IMAGES)))
        .isEqualTo("vault-kms-plugin-1 - -");
  }

  /// A plugin of another make may exit while its KMS is down, and the API server must start.
  @Test
  void w20TheApiServerWaitsForSocketsOfKeywardAlone() {
    Sidecars planned = SidecarPlanner.plan("a", layout("2:AWS 1:Vault@other"), IMAGES);
    assertThat(planned.containers().getFirst().ready()).isEmpty();
    assertThat(planned.containers().getLast().ready())
        .contains("/var/run/keyward-kms/kms-2.sock")
        .doesNotContain("/var/run/keyward-kms/kms-1.sock");
  }

  @Test
  void startsAnotherImageAsItExpects() {
    Sidecars planned = SidecarPlanner.plan("a", layout("7:Vault@other"), IMAGES);
    assertThat(planned.containers().getFirst().image()).isEqualTo(OTHER);
    assertThat(planned.containers().getFirst().arguments())
        .containsExactly(
            "-listen-address=unix:///var/run/keyward-kms/kms-7.sock",
            "-vault-address=https://vault:8200",
            "-vault-key-path=transit/keys/k",
            "-approle-role-id=role",
            "-approle-secret-id-path=/var/run/secrets/kms-plugin/kms-plugin-secret-login_secret-id-7",
            "-tls-ca-file=/var/run/secrets/kms-plugin/kms-plugin-configmap-ca_ca-bundle.crt-7",
            "-metrics-port=0");
  }

  @Test
  void anImageWithUnknownArgumentsIsRejected() {
    assertThat(SidecarPlanner.problem(key("1:AWS@other"), IMAGES).map(Problem::what).orElse(""))
        .contains("keywardImages");
    assertThat(SidecarPlanner.problem(key("1:AWS@mirror"), IMAGES)).isEmpty();
    assertThat(SidecarPlanner.problem(key("1:Vault@other"), IMAGES)).isEmpty();
    assertThat(
            SidecarPlanner.problem(key("1:Vault"), PluginImages.NONE).map(Problem::what).orElse(""))
        .contains("pluginImage");
  }

  private static EncryptionLayout layout(String keys) {
    var slots = new ArrayList<Slot>();
    for (String one : keys.split(" ", -1)) {
      slots.add(new Slot(key(one), one.substring(0, one.indexOf(':')) + "_secrets"));
    }
    var stacks = new TreeMap<Resource, KeyStack>();
    stacks.put(
        new Resource("", "secrets"),
        new KeyStack(Optional.of(slots.getFirst().key().serial()), slots));
    return new EncryptionLayout(stacks);
  }

  private static Key key(String text) {
    String[] words = text.split("[:@]", -1);
    var serial = new KeySerial(Long.parseLong(words[0]));
    if (words[1].equals("aes")) {
      return Key.unbacked(serial, Mode.AESCBC, Key.NULL_MATERIAL, Optional.empty());
    }
    var fields =
        new TreeMap<>(
            Map.of(
                "vaultAddress", "https://vault:8200",
                "vaultKeyPath", "transit/keys/k",
                "tls.caBundle.name", "ca",
                "authentication.appRole.secret.name", "login"));
    if (words.length > 2) {
      fields.put("kmsPluginImage", words[2].equals("mirror") ? MIRROR : OTHER);
    }
    var secrets = new TreeMap<String, DataValue>();
    secrets.put("login_role-id", DataValue.copyOf("role".getBytes(StandardCharsets.UTF_8)));
    var kms =
        new KmsKey(
            KmsEndpoint.of(serial),
            Optional.of(new KmsPluginConfig("", new ProviderSpec(words[1], fields))),
            new ReferenceData(secrets),
            ReferenceData.NONE);
    return Key.unbacked(serial, Mode.KMS, Key.NULL_MATERIAL, Optional.of(kms));
  }
}
