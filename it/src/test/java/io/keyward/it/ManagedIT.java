package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.client.Endpoint;
import io.keyward.kms.client.KmsV2Client;
import io.keyward.testbed.Distribution;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.NodePlugin;
import io.keyward.testbed.Traffic;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.pod.NodeRoot;
import io.keyward.testbed.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole way on real servers: an admin edits one field, and three kube-apiservers that are
/// static pods change their keys node by node, and an aggregated API server that is a Deployment
/// beside them, while readers and writers go on, while people and machines make trouble, and while
/// one part after the other is killed. Operator and node agents have the rights that are shipped.
///
/// One story on one cluster: servers take long to start, so that every rollout serves several
/// proofs. With more kills than parts also from one KMS to another, again and again. By hand:
/// `-Dkeyward.it.killRounds=50 -Dkeyward.it.seed=1`.
final class ManagedIT {
  private static final int SECRETS = Integer.getInteger("keyward.it.secrets", 2_000);

  /// Each part once.
  private static final int FEW = Killer.Victim.values().length;

  private static final int KILLS = Integer.getInteger("keyward.it.killRounds", FEW);

  /// More killing than the short story has time for.
  private static final boolean LONG = KILLS > FEW;

  private static final long SEED = Long.getLong("keyward.it.seed", 7);
  private static final Duration PATIENCE = Duration.ofMinutes(6);

  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<NodePlugin> started = new ArrayList<>();
  private final long begin = System.nanoTime();
  private ManagedCluster cluster;
  private Admin admin;
  private ManagedObjects objects;
  private ManagedTroubles troubles;
  private Revisions revisions;

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void fromPlaintextToAKmsAndBackThroughTroubleAndKills(@TempDir Path temporary) throws Exception {
    cluster =
        kept(
            new ManagedCluster(
                temporary.resolve("c"), Keyward.HOME, ServerBinaries.ofThisMachine(), this::say));
    cluster.start();
    admin = kept(new Admin(cluster));
    troubles = new ManagedTroubles(cluster, admin, SEED);
    objects = new ManagedObjects(cluster, admin.client(), SECRETS);
    objects.create();
    revisions = new Revisions(cluster, admin);
    Traffic traffic = kept(new Traffic(cluster));
    ServerProcess watch = watchStatus();

    NodePlugin first = troubleUnderALocalKey();
    NodePlugin now = killsUnderAKms(first, traffic);
    var plugins = new PluginTroubles(cluster, admin, now);
    plugins.oneIsSilent();
    say("a silent plugin was said");
    plugins.oneHasAFileInPlaceOfItsSocket();
    say("a plugin without a socket was said");
    NodeRoot replaced = backToPlaintextOnAnotherNode();

    assertThat(traffic.isServedEverywhere(PATIENCE)).isTrue();
    traffic.stop();
    assertThat(traffic.failed()).isEmpty();
    say(
        traffic.reads()
            + " reads, "
            + traffic.writes()
            + " writes, "
            + traffic.broken()
            + " broken connections, "
            + traffic.behind()
            + " broken behind a kube-apiserver, "
            + traffic.patient()
            + " answers with Retry-After, "
            + traffic.forgiven()
            + " failed while etcd was down");
    revisions.everyPodRunsTheNewestRevision();
    objects.areReadByEveryApiServer();
    revisions.filesAreForTheirOwnerAlone(replaced);
    revisions.revisionsArePruned();
    whoWatchedSawItAll(watch);
    Keyward explained =
        Keyward.run(
            "explain",
            "--config",
            cluster.config().toString(),
            "--kubeconfig",
            cluster.kubeconfig().toString());
    assertThat(explained.out()).as(explained.err()).contains("DecryptionCompleted");
  }

  private <T extends AutoCloseable> T kept(T one) {
    open.add(one);
    return one;
  }

  private void say(String line) {
    System.err.println("managed: " + (System.nanoTime() - begin) / 1_000_000_000 + " s: " + line);
  }

  /// Returns a plugin that was started meanwhile.
  private NodePlugin troubleUnderALocalKey() throws InterruptedException {
    long operator = cluster.operator().pid();
    Explained waits = kept(new Explained(admin));
    troubles.theSpecChangesThreeTimesWithinOneRollout();
    awaitStored((_, value) -> value.startsWith("k8s:enc:aescbc:v1:1:"));
    Admin.OPERATORS.forEach(
        one -> admin.awaitConditionOf(one, "Encrypted", "True", "EncryptionCompleted"));
    say("aescbc after three changes of mind");
    troubles.whatCannotBeDoneIsRefusedInWords();
    say("an invalid spec was refused in words");
    troubles.rightsAreMissing();
    say("missing rights were said");
    troubles.aKeySecretIsDeletedAndDamaged();
    say("a key secret was put right");
    troubles.theLeadIsLost();
    say("the operator lost its lead and has it again");
    assertThat(cluster.operator().pid()).as("the operator was never restarted").isEqualTo(operator);
    long handover = troubles.theLeadIsHandedOver();
    say("the lead was handed over twice, the slower time within " + handover + " ms");
    assertThat(handover).as("a lease lasts 15 s").isLessThan(10_000);
    NodePlugin plugin = startPlugin("a");
    troubles.aStrangersSecretIsInTheWay(() -> admin.want(plugin));
    say("a stranger's secret was left alone");
    assertThat(waits.unexplained()).isEmpty();
    return plugin;
  }

  /// Returns the plugin that is in use at the end.
  private NodePlugin killsUnderAKms(NodePlugin first, Traffic traffic) throws IOException {
    Killer killer = kept(new Killer(cluster, first, traffic, SEED, KILLS));
    String kek = kek("a");
    awaitStored((kind, value) -> value.startsWith(kms(2, kind)) && value.contains(kek));
    say("KMS, killed " + killer.killed());
    first.rotate();
    awaitStored((kind, value) -> value.startsWith(kms(2, kind)) && !value.contains(kek));
    String newKek = kek("a");
    for (String kind : ManagedObjects.KINDS) {
      assertThat(objects.stored(kind)).allMatch(value -> value.contains(newKek));
    }
    say("rotated");
    troubles.theSecretOfAKmsKeyIsDamaged(2);
    // As many moves between two plugins as it takes for all the killing that was asked for.
    NodePlugin now = first;
    NodePlugin other = LONG ? startPlugin("b") : first;
    for (int serial = 3; LONG && (serial == 3 || !killer.isDone()); serial++) {
      int wanted = serial;
      NodePlugin next = now == first ? other : first;
      admin.want(next);
      awaitStored((kind, value) -> value.startsWith(kms(wanted, kind)));
      now = next;
      say("KMS " + now.endpoint() + ", killed " + killer.killed().size());
    }
    Awaitility.await().atMost(PATIENCE).until(killer::isDone);
    say("killed " + killer.killed());
    assertThat(killer.killed()).hasSize(KILLS);
    settled();
    return now;
  }

  private NodePlugin startPlugin(String name) {
    NodePlugin plugin = cluster.startPlugin(name);
    started.add(plugin);
    return plugin;
  }

  /// Nobody is on the way, and all that was killed is back.
  private void settled() {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> {
          revisions.everyNodeRunsTheNewestRevision(List.of("node-0", "node-1", "node-2"));
          assertThat(cluster.aggregatedPods()).hasSize(2);
        });
    Admin.OPERATORS.forEach(one -> admin.awaitConditionOf(one, "KMSPluginDegraded", "False"));
  }

  /// Returns the node that took the place of one that was lost meanwhile.
  private NodeRoot backToPlaintextOnAnotherNode() throws Exception {
    Explained waits = kept(new Explained(admin));
    admin.want("{\"type\":\"identity\",\"kms\":null}");
    troubles.awaitOneOnItsWay();
    troubles.pause();
    NodeReplacement replacement = kept(new NodeReplacement(cluster, admin, started, 2, "node-new"));
    awaitStored((kind, value) -> value.startsWith(kind.equals("flunders") ? "{" : "k8s\0"));
    Admin.OPERATORS.forEach(
        one -> admin.awaitConditionOf(one, "Encrypted", "False", "DecryptionCompleted"));
    // Old keys leave in one more revision, after all is stored as it was asked for.
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() ->
            revisions.everyNodeRunsTheNewestRevision(List.of("node-0", "node-1", "node-new")));
    say("identity, on another node");
    assertThat(waits.unexplained()).isEmpty();
    return replacement.node();
  }

  private static String kms(int serial, String kind) {
    return "k8s:enc:kms:v2:" + serial + "_" + kind + ":";
  }

  private ServerProcess watchStatus() {
    return kept(
        ServerProcess.start(
            new Distribution(Keyward.HOME)
                .launch(
                    "status",
                    cluster.directory().resolve("status.log"),
                    "status",
                    "--watch",
                    "-o",
                    "json",
                    "--config",
                    cluster.config().toString(),
                    "--kubeconfig",
                    cluster.kubeconfig().toString())));
  }

  private static void whoWatchedSawItAll(ServerProcess watch) throws IOException {
    assertThat(watch.isRunning()).isTrue();
    watch.kill();
    String seen = Files.readString(watch.log());
    assertThat(seen.split("(?m)^\\[", -1))
        .as("it is printed when it changes")
        .hasSizeGreaterThan(5);
    assertThat(seen).contains("EncryptionCompleted", "node-new");
  }

  private String kek(String plugin) {
    Path socket = cluster.nodes().getFirst().sockets().resolve(plugin + ".sock");
    return Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () -> {
              try (var client = new KmsV2Client(new Endpoint(socket))) {
                return client.status(Duration.ofSeconds(5)).keyId();
              }
            },
            id -> !id.isEmpty());
  }

  /// Of every kind, whichever comes first.
  private void awaitStored(BiPredicate<String, String> wanted) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(() -> {
          for (String kind : ManagedObjects.KINDS) {
            assertThat(objects.stored(kind))
                .as(this::status)
                .hasSize(objects.count(kind))
                .allMatch(value -> wanted.test(kind, value));
          }
        });
  }

  private String status() {
    return Admin.OPERATORS.stream()
        .map(one -> admin.operator(one).toPrettyString())
        .collect(Collectors.joining());
  }
}
