package io.keyward.dev.demo;

import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.client.Preflight;
import io.keyward.kms.client.PreflightReport;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.NodePlugin;
import io.keyward.testbed.Traffic;
import io.keyward.testbed.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/// What the demo plays, chapter by chapter.
final class Chapters {
  private static final int SHOWN = 70;

  private final Story story;
  private final Stage stage;
  private final ManagedCluster cluster;
  private final int count;
  private final boolean full;
  private final DemoSecrets secrets;
  private final List<String> modes = new ArrayList<>();

  /// @param full also with a local key, a second KMS and back to plaintext
  Chapters(Story story, Stage stage, int count, boolean full) {
    this.story = story;
    this.stage = stage;
    this.cluster = stage.cluster();
    this.count = count;
    this.full = full;
    this.secrets = new DemoSecrets(cluster, count);
  }

  void play() {
    plaintext();
    try (var traffic = new Traffic(cluster);
        var admin = new Admin(cluster)) {
      var progress = new DemoProgress(story, admin, secrets);
      story.tell("from now on a reader and a writer use each API server");
      if (full) {
        aes(admin, progress);
      }
      NodePlugin first = plugin("a");
      kms(admin, progress, first);
      String old = rotate(progress, first);
      if (full) {
        audit("Can the key in the first KMS be deleted?", otherKms(admin, progress));
        identity(admin, progress);
      } else {
        audit("Can the old version of the key be deleted?", old);
      }
      traffic.stop();
      summary(admin, traffic);
    }
  }

  private void plaintext() {
    story.chapter("A cluster without encryption");
    story.watching("start etcd, three nodes with their API servers, and Keyward", cluster::start);
    story.doing("create " + count + " secrets", secrets::createAll);
    show();
    story.prove(
        holding("the-password-of-customer-") == count,
        "anyone who can read etcd can read all " + count + " secrets");
    modes.add("identity");
  }

  private void aes(Admin admin, DemoProgress progress) {
    story.chapter("An admin edits one field: aescbc");
    admin.want("aescbc");
    story.watching(
        "the operator creates a key and rolls it out to one node after the other",
        () -> progress.until((_, value) -> value.startsWith("k8s:enc:aescbc:v1:1:")));
    encrypted("aescbc, key 1");
  }

  private NodePlugin plugin(String name) {
    NodePlugin plugin =
        story.doing("start KMS plugin " + name + " on every node", () -> cluster.startPlugin(name));
    PreflightReport report = preflight(name);
    story.tell("key_id " + report.keyId());
    story.prove(report.passed(), "plugin " + name + " is healthy, and decrypts what it encrypts");
    return plugin;
  }

  private void kms(Admin admin, DemoProgress progress, NodePlugin plugin) {
    story.chapter(full ? "The key moves into a KMS" : "An admin edits one field: a KMS");
    admin.want(plugin);
    story.watching(
        "every node tests the plugin, then reads with its key, then writes with it",
        () -> progress.until(under(full ? 2 : 1)));
    encrypted("KMS a, version 1");
  }

  /// Returns the id of the version that nothing should need any more.
  private String rotate(DemoProgress progress, NodePlugin plugin) {
    story.chapter("A new version of the key, detected without a request");
    String before = preflight("a").keyId();
    plugin.rotate();
    Waiting.until(() -> !preflight("a").keyId().equals(before), Duration.ofSeconds(30));
    String after = preflight("a").keyId();
    story.tell("key_id " + after);
    story.prove(
        holding(before) >= count && secrets.allRead(),
        "values that the old version encrypted are still stored, and still readable");
    story.watching(
        "all nodes report it, it settles, and all data is re-encrypted",
        () -> progress.until((_, value) -> value.contains(after)));
    story.prove(
        holding(before) == 0,
        "no stored value needs the old version, and no API server was restarted");
    encrypted("KMS a, version 2");
    return before;
  }

  /// Returns the id of the version that nothing should need any more.
  private String otherKms(Admin admin, DemoProgress progress) {
    story.chapter("From one KMS to another");
    String left = preflight("a").keyId();
    admin.want(plugin("b"));
    story.watching(
        "the API servers read with the old KMS until no data needs it",
        () -> progress.until(under(3)));
    encrypted("KMS b, version 1");
    return left;
  }

  private void audit(String question, String oldKek) {
    story.chapter(question);
    Audit first =
        story.doing(
            "audit a snapshot of etcd",
            () -> Audit.of(cluster.etcd(), stage.file("before.db"), oldKek));
    story.tell("found: " + first.findings());
    story.prove(
        !first.clean(),
        "not yet: overwritten values are still in the history and free pages of etcd");
    story.doing("compact and defragment etcd", () -> Audit.forgetThePast(cluster.etcd()));
    Audit second =
        story.doing(
            "audit another snapshot",
            () -> Audit.of(cluster.etcd(), stage.file("after.db"), oldKek));
    story.tell("found: " + second.findings());
    story.prove(
        second.clean(), "now it can: no byte of this etcd is in plaintext or needs that key");
  }

  private void identity(Admin admin, DemoProgress progress) {
    story.chapter("Back to plaintext");
    admin.want("identity");
    story.watching(
        "the same steps lead back", () -> progress.until((_, value) -> value.startsWith("k8s\0")));
    story.prove(secrets.allRead(), "every API server reads all of them");
    modes.add("identity");
  }

  private void summary(Admin admin, Traffic traffic) {
    story.heading("Summary");
    story.tell("nodes       " + ManagedCluster.NODES + ", their API servers are static pods");
    story.tell(
        "objects     " + count + " secrets, each read from every API server after every step");
    story.tell("modes       " + String.join(" -> ", modes));
    story.tell(
        "revisions   "
            + admin.status().path("latestAvailableRevision").asLong()
            + ", each rolled out to one node after the other");
    story.tell("requests    " + traffic.reads() + " reads, " + traffic.writes() + " writes");
    story.tell(
        "            "
            + traffic.broken()
            + " broken connections, "
            + traffic.patient()
            + " answers with Retry-After, tried again");
    traffic.failed().stream().limit(5).forEach(one -> story.tell("FAILED      " + one));
    story.prove(
        traffic.failed().isEmpty() && traffic.reads() > 0 && traffic.writes() > 0,
        "no request failed, and no write was lost");
  }

  private static BiPredicate<String, String> under(int serial) {
    return (resource, value) -> value.startsWith("k8s:enc:kms:v2:" + serial + "_" + resource + ":");
  }

  private void encrypted(String mode) {
    modes.add(mode);
    show();
    story.prove(
        holding("the-password-of-customer-") == 0,
        "all secrets are encrypted in etcd, none is readable there");
    story.prove(secrets.allRead(), "every API server reads all of them");
  }

  private PreflightReport preflight(String plugin) {
    Path socket = cluster.nodes().getFirst().sockets().resolve(plugin + ".sock");
    return new Preflight(new PluginEndpoint(socket), Duration.ofSeconds(30), Duration.ofSeconds(10))
        .run();
  }

  private long holding(String text) {
    return secrets.stored("secrets").values().stream()
        .filter(value -> value.contains(text))
        .count();
  }

  /// Both ends of a stored value, with dots for what a terminal cannot show.
  private void show() {
    String shown = secrets.first().replaceAll("[^\\x20-\\x7e]+", ".");
    story.tell(
        "in etcd, "
            + DemoSecrets.name(0)
            + " is: "
            + (shown.length() <= 2 * SHOWN
                ? shown
                : shown.substring(0, SHOWN) + " ... " + shown.substring(shown.length() - SHOWN)));
  }
}
