package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.Distribution;
import io.keyward.testbed.NodePlugin;
import io.keyward.testbed.pod.NodeRoot;
import io.keyward.testbed.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole way on real servers: an admin edits one field, and all API servers change their keys
/// node by node, from plaintext to a KMS, through a rotation and back, while one part after the
/// other is killed, plugins fail and a node is replaced.
///
/// With more kills than parts also from one KMS to another, again and again. By hand:
/// `-Dkeyward.it.killRounds=50 -Dkeyward.it.seed=1`.
final class AManagedClusterIT extends ManagedStory {
  /// Each part once.
  private static final int FEW = Killer.Victim.values().length;

  private static final int KILLS = Integer.getInteger("keyward.it.killRounds", FEW);

  /// More killing than the short story has time for.
  private static final boolean LONG = KILLS > FEW;

  @Test
  void fromPlaintextToAKmsAndBackThroughKills(@TempDir Path temporary) throws Exception {
    begin(temporary);
    ServerProcess watch = watchStatus();
    NodePlugin first = startPlugin("a");
    admin.want(first);
    NodePlugin now = killsUnderAKms(first);
    var plugins = new PluginTroubles(cluster, admin, now);
    plugins.oneIsSilent();
    say("a silent plugin was reported");
    plugins.oneHasAFileInPlaceOfItsSocket();
    say("a plugin without a socket was reported");
    NodeRoot replaced = backToPlaintextOnAnotherNode();

    everybodyWasServed();
    revisions.filesAreForTheirOwnerAlone(replaced);
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

  /// Returns the plugin that is in use at the end.
  private NodePlugin killsUnderAKms(NodePlugin first) throws IOException {
    Killer killer = kept(new Killer(cluster, first, traffic, SEED, KILLS));
    String kek = kek("a");
    awaitStored(value -> value.startsWith(kms(1)) && value.contains(kek));
    say("KMS, killed " + killer.killed());
    first.rotate();
    awaitStored(value -> value.startsWith(kms(1)) && !value.contains(kek));
    String newKek = kek("a");
    assertThat(objects.stored()).allMatch(value -> value.contains(newKek));
    say("rotated");
    troubles.theSecretOfAKmsKeyIsDamaged(1);
    // As many moves between two plugins as it takes for all the killing that was asked for.
    NodePlugin now = first;
    NodePlugin other = LONG ? startPlugin("b") : first;
    for (int serial = 2; LONG && (serial == 2 || !killer.isDone()); serial++) {
      int wanted = serial;
      NodePlugin next = now == first ? other : first;
      admin.want(next);
      awaitStored(value -> value.startsWith(kms(wanted)));
      now = next;
      say("KMS " + now.endpoint() + ", killed " + killer.killed().size());
    }
    Awaitility.await().atMost(PATIENCE).until(killer::isDone);
    say("killed " + killer.killed());
    assertThat(killer.killed()).hasSize(KILLS);
    settled();
    return now;
  }

  /// Nobody is on the way, and all that was killed is back.
  private void settled() {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> {
          revisions.everyNodeRunsTheNewestRevision(List.of("node-0", "node-1", "node-2"));
        });
    admin.awaitCondition("KMSPluginDegraded", "False");
  }

  /// Returns the node that took the place of one that was lost meanwhile.
  private NodeRoot backToPlaintextOnAnotherNode() throws Exception {
    Explained waits = kept(new Explained(admin));
    admin.want("{\"type\":\"identity\",\"kms\":null}");
    troubles.awaitOneOnItsWay();
    troubles.pause();
    NodeReplacement replacement = kept(new NodeReplacement(cluster, admin, started, 2, "node-new"));
    awaitStored(value -> value.startsWith("k8s\0"));
    admin.awaitCondition("Encrypted", "False", "DecryptionCompleted");
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
    assertThat(seen.split("(?m)^\\{", -1))
        .as("it is printed when it changes")
        .hasSizeGreaterThan(5);
    assertThat(seen).contains("EncryptionCompleted", "node-new");
  }
}
