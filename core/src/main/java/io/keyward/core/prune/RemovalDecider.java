package io.keyward.core.prune;

import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.Mode;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Whether Keyward can be removed from a cluster: no stored object needs one of its keys.
public final class RemovalDecider {
  private static final String REMEDY =
      "; request the encryption type identity, wait until the condition Encrypted has the reason"
          + " DecryptionCompleted, and run this again";

  private RemovalDecider() {}

  /// Why Keyward cannot be removed now.
  ///
  /// @param words what prevents the removal and how to proceed
  /// @param passes whether this ends without an administrator
  public record Blocker(String words, boolean passes) {}

  /// Whether an earlier removal was interrupted after it had cleaned the nodes. It deletes the
  /// operator and the entry in kubeadm's configuration first, and the request after the nodes:
  /// somebody who deletes the request by hand leaves the other two.
  public static boolean isUnderway(boolean hasRequest, boolean isInKubeadm, boolean hasOperator) {
    return !hasRequest && !isInKubeadm && !hasOperator;
  }

  /// What prevents the removal; empty where nothing does.
  public static Optional<Blocker> blocker(ObservedState seen) {
    if (!seen.isEnabled()) {
      return Optional.empty();
    }
    if (seen.wanted().mode() != Mode.IDENTITY) {
      return Optional.of(
          new Blocker(
              seen.component() + " encrypts data with " + seen.wanted().mode().word() + REMEDY,
              false));
    }
    if (!seen.isConverged()) {
      return Optional.of(
          new Blocker(
              "a rollout of "
                  + seen.component()
                  + " is in progress; run this again when keyward status shows all nodes at one"
                  + " revision",
              true));
    }
    SortedSet<Resource> resources = new TreeSet<>(seen.wanted().resources());
    resources.addAll(seen.deployed().orElse(EncryptionLayout.EMPTY).stacks().keySet());
    return seen.ring().mayProtect(resources).stream()
        .filter(key -> key.mode() != Mode.IDENTITY)
        .findFirst()
        .map(key -> new Blocker(protects(seen, key), false));
  }

  private static String protects(ObservedState seen, Key key) {
    return "data of "
        + seen.component()
        + " may still be encrypted with key "
        + key.serial()
        + " ("
        + key.mode().word()
        + ")"
        + REMEDY;
  }
}
