package io.keyward.testkit.sim;

import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Mode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Statement 5: once encryption was on, nothing is written in plaintext unless the admin asked for
/// it. Asked of what instances run, and of what is published.
final class PlaintextWindows {
  private final Server server;

  /// Resources that all instances wrote encrypted.
  private final Set<Resource> on = new HashSet<>();

  private final Set<Resource> publishedEncrypted = new HashSet<>();
  private final Set<Resource> asksForPlain = new HashSet<>();

  /// Those for which plaintext was asked for since they were last published encrypted.
  private final Set<Resource> mayBePlain = new HashSet<>();

  /// Resources that a configuration wrote in plaintext because that was asked for, by its version.
  /// A platform may roll it out after the request changed again.
  private final Map<Integer, Set<Resource>> wasAskedFor = new HashMap<>();

  PlaintextWindows(Server server) {
    this.server = server;
  }

  /// Whether the admin or an operator wrote something since it was last looked at.
  private boolean isDue = true;

  void onSpec(Spec spec) {
    isDue = true;
    asksForPlain.clear();
    for (Resource resource : Spec.RESOURCES.get(server.index)) {
      if (spec.mode == Mode.IDENTITY || !spec.resources.get(server.index).contains(resource)) {
        asksForPlain.add(resource);
      }
    }
    mayBePlain.addAll(asksForPlain);
  }

  void onPublish(EncryptionLayout layout) {
    isDue = true;
    for (Resource resource : layout.stacks().keySet()) {
      if (ProviderEntries.writer(layout, resource) != null) {
        publishedEncrypted.add(resource);
        if (!asksForPlain.contains(resource)) {
          mayBePlain.remove(resource);
        }
      } else if (publishedEncrypted.contains(resource)
          && !mayBePlain.contains(resource)
          && !isOnlyWritten(resource)) {
        throw broken(resource, "the written configuration");
      }
    }
  }

  boolean mayBePlain(Resource resource) {
    return mayBePlain.contains(resource);
  }

  /// After it was written.
  void onPublished(EncryptionLayout layout, int version) {
    var plain = new HashSet<Resource>();
    for (Resource resource : layout.stacks().keySet()) {
      if (ProviderEntries.writer(layout, resource) == null && mayBePlain.contains(resource)) {
        plain.add(resource);
      }
    }
    if (!plain.isEmpty()) {
      wasAskedFor.put(version, plain);
    }
  }

  /// Where Keyward rolls out, encryption that neither the newest revision nor an instance has is
  /// not on: a step that was written and became no revision may be taken again later. A revision
  /// that was not announced reaches no instance, and none is announced of a configuration that was
  /// written over.
  private boolean isOnlyWritten(Resource resource) {
    return server.managed
        && Stream.concat(
                Stream.of(server.newestRevision()),
                server.writers().stream().map(instance -> instance.runs))
            .allMatch(one -> ProviderEntries.writer(one.layout(), resource) == null);
  }

  /// Of what instances run.
  ///
  /// @param isMoved whether an instance runs another revision than before
  void holdsNow(boolean isMoved) {
    if (!isMoved && !isDue) {
      return;
    }
    isDue = false;
    for (Resource resource : Spec.RESOURCES.get(server.index)) {
      boolean all = true;
      for (Instance instance : server.instances) {
        Server.Revision runs = instance.runs;
        if (ProviderEntries.writer(runs.layout(), resource) != null) {
          continue;
        }
        all = false;
        // What a fault took away is written in plaintext until somebody looks.
        if (mayBePlain.contains(resource)
            || runs.vanished()
            || wasAskedFor.getOrDefault(runs.version(), Set.of()).contains(resource)) {
          on.remove(resource);
        } else if (on.contains(resource)) {
          throw broken(resource, instance.node + " with revision " + instance.revision);
        }
      }
      if (all && isLasting()) {
        on.add(resource);
      }
    }
  }

  /// Pods that are yet to start count as well: somebody may have undone the rollout.
  private boolean isLasting() {
    PodSet pods = server.pods;
    return pods == null || server.instances.stream().allMatch(pod -> pods.starts(pod.revision));
  }

  private Violation broken(Resource resource, String who) {
    return new Violation(5, server.name + ": " + who + " writes " + resource + " in plaintext");
  }
}
