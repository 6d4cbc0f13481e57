package io.keyward.cli.demo;

import io.keyward.kms.client.Endpoint;
import io.keyward.kms.client.Preflight;
import io.keyward.kms.client.PreflightReport;
import io.keyward.kms.local.KeyName;
import io.keyward.kms.local.KeyStoreFile;
import io.keyward.kms.local.Password;
import io.keyward.testbed.ApiServer;
import io.keyward.testbed.EncryptionConfig;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the demo plays, chapter by chapter. Later parts of Keyward add chapters at the end.
final class Chapters {
  private static final KeyName KEY = new KeyName("demo");
  private static final String PROVIDER = "keyward";
  private static final String ENCRYPTED = "k8s:enc:kms:v2:" + PROVIDER + ":";

  /// An API server asks for Status once a minute.
  private static final Duration POLL = Duration.ofSeconds(100);

  private static final int SHOWN = 70;

  private final Story story;
  private final Stage stage;
  private final int count;
  private final DemoSecrets secrets;

  Chapters(Story story, Stage stage, int count) {
    this.story = story;
    this.stage = stage;
    this.count = count;
    this.secrets = new DemoSecrets(stage.plane(), count);
  }

  void play() throws IOException {
    plaintext();
    KeyStoreFile keys = plugin();
    encrypt();
    audit(rotate(keys));
  }

  private void plaintext() {
    story.chapter("1. A cluster without encryption");
    stage.plane().buildPrograms();
    story.doing("start etcd and two API servers", () -> stage.plane().start());
    story.doing("create " + count + " secrets", secrets::createAll);
    Map<String, String> stored = secrets.stored();
    story.tell(
        "in etcd, " + DemoSecrets.name(0) + " is: " + printable(stored.get(DemoSecrets.name(0))));
    story.prove(
        holding(stored, "the-password-of-customer-") == count,
        "everybody who can read etcd can read all " + count + " secrets");
  }

  private KeyStoreFile plugin() throws IOException {
    story.chapter("2. A key, and the plugin that serves it");
    Path password = Files.writeString(stage.file("password"), "only for this demo\n");
    var keys = new KeyStoreFile(stage.file("keys.p12"), Password.read(password));
    keys.create(KEY);
    Path config =
        Files.writeString(
            stage.file("plugin.yaml"),
            """
            probeInterval: 1s
            keys:
              - name: demo
                socket: %s
                provider: local
                local:
                  keystore: %s
                  passwordFile: %s
                  key: demo
            """
                .formatted(stage.socket(), stage.file("keys.p12"), password));
    PreflightReport report =
        story.doing(
            "start the plugin and run a preflight",
            () -> {
              stage.startPlugin(config);
              return preflight();
            });
    story.tell("key_id " + report.keyId());
    story.prove(report.passed(), "the plugin is healthy, and what it encrypts it can decrypt");
    return keys;
  }

  private void encrypt() {
    story.chapter("3. Encryption, without a moment in which a server cannot read");
    for (ApiServer api : stage.plane().apiServers()) {
      story.doing(
          "let " + api.name() + " read with the key",
          () -> restart(api, EncryptionConfig.reads(PROVIDER, stage.socket())));
    }
    for (ApiServer api : stage.plane().apiServers()) {
      story.doing(
          "let " + api.name() + " write with the key",
          () -> restart(api, EncryptionConfig.writes(PROVIDER, stage.socket())));
    }
    story.doing("re-encrypt all secrets", secrets::rewriteAll);
    Map<String, String> stored = secrets.stored();
    story.tell(
        "in etcd, " + DemoSecrets.name(0) + " is: " + printable(stored.get(DemoSecrets.name(0))));
    story.prove(
        stored.values().stream().filter(value -> value.startsWith(ENCRYPTED)).count() == count
            && holding(stored, "the-password-of-customer-") == 0,
        "all " + count + " secrets are encrypted in etcd, none is readable there");
    story.prove(bothRead(), "both API servers read all " + count + " secrets");
  }

  /// Returns the id of the version that nothing should need any more.
  private String rotate(KeyStoreFile keys) {
    story.chapter("4. A new version of the key, picked up by itself");
    String before = preflight().keyId();
    keys.rotate(KEY);
    String after =
        story.doing(
            "rotate the key in the key store, wait for the plugin",
            () -> {
              Waiting.until(() -> !preflight().keyId().equals(before), Duration.ofSeconds(30));
              return preflight().keyId();
            });
    story.tell("key_id " + after);
    story.doing(
        "wait for the API servers (they ask once a minute)",
        () -> {
          for (ApiServer api : stage.plane().apiServers()) {
            if (!Waiting.until(() -> writesWith(api, after), POLL)) {
              throw new TestbedException(api.name() + " did not pick up the new key", "");
            }
          }
        });
    secrets.removeProbes();
    story.prove(true, "both API servers write with the new key_id; nobody restarted anything");
    story.prove(
        holding(secrets.stored(), before) == count && bothRead(),
        "what the old version encrypted is still there, and still readable");
    story.doing("re-encrypt all secrets", secrets::rewriteAll);
    Map<String, String> stored = secrets.stored();
    story.prove(
        holding(stored, after) == count && holding(stored, before) == 0,
        "all " + count + " secrets are under the new version, none needs the old one");
    story.prove(bothRead(), "both API servers read all " + count + " secrets");
    return before;
  }

  private void audit(String oldKek) {
    story.chapter("5. May the old version be deleted?");
    Audit first =
        story.doing(
            "audit a snapshot of etcd",
            () -> Audit.of(stage.plane(), stage.file("before.db"), oldKek));
    story.tell("found: " + first.findings());
    story.prove(
        !first.clean(), "not yet: what was overwritten is still in etcd's history and free pages");
    story.doing("compact and defragment etcd", () -> Audit.forgetThePast(stage.plane()));
    Audit second =
        story.doing(
            "audit another snapshot",
            () -> Audit.of(stage.plane(), stage.file("after.db"), oldKek));
    story.tell("found: " + second.findings());
    story.prove(
        second.clean(),
        "now it may: no byte of this etcd is in plaintext or needs the old version");
  }

  private PreflightReport preflight() {
    return new Preflight(
            new Endpoint(stage.socket()), Duration.ofSeconds(30), Duration.ofSeconds(10))
        .run();
  }

  private static void restart(ApiServer api, String config) {
    api.writeEncryptionConfig(config);
    api.restart();
  }

  private boolean bothRead() {
    return stage.plane().apiServers().stream().allMatch(secrets::allRead);
  }

  private boolean writesWith(ApiServer api, String keyId) {
    return secrets.probe(api, Long.toString(System.nanoTime())).contains(keyId);
  }

  private static long holding(Map<String, String> stored, String text) {
    return stored.values().stream().filter(value -> value.contains(text)).count();
  }

  /// Both ends of a stored value, with dots for what a terminal cannot show.
  private static String printable(@Nullable String stored) {
    if (stored == null) {
      return "(missing)";
    }
    String shown = stored.replaceAll("[^\\x20-\\x7e]+", ".");
    if (shown.length() <= 2 * SHOWN) {
      return shown;
    }
    return shown.substring(0, SHOWN) + " ... " + shown.substring(shown.length() - SHOWN);
  }
}
