package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.NodePlugin;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trouble that people and machines make while a cluster is encrypted with a local key: every one
/// is reported, and nothing is lost.
final class AManagedClusterInTroubleIT extends ManagedStory {
  @Test
  void everyTroubleUnderALocalKeyIsReported(@TempDir Path temporary) throws Exception {
    begin(temporary);
    troubleUnderALocalKey();
    everybodyWasServed();
  }

  private void troubleUnderALocalKey() throws InterruptedException {
    long operator = cluster.operator().pid();
    Explained waits = kept(new Explained(admin));
    troubles.theSpecChangesThreeTimesWithinOneRollout();
    awaitStored(value -> value.startsWith("k8s:enc:aescbc:v1:1:"));
    admin.awaitCondition("Encrypted", "True", "EncryptionCompleted");
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
    troubles.theLeadIsHandedOver();
    say("the lead was handed over twice");
    NodePlugin plugin = startPlugin("a");
    troubles.aStrangersSecretIsInTheWay(() -> admin.want(plugin));
    say("a stranger's secret was left alone");
    assertThat(waits.unexplained()).isEmpty();
  }
}
