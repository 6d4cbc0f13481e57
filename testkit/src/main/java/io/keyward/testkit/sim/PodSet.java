package io.keyward.testkit.sim;

import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.rollout.manifest.PodTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A Deployment whose pods are instances of an API server, and the controller that replaces them.
///
/// A pod runs the template that it was made from: what the Secret at the place of the configuration
/// says, and nothing where the flag is missing.
final class PodSet {
  static final String SECRET = "encryption-config-";
  private static final int NONE = -1;

  /// A pod that runs no API server yet.
  record Starting(String pod, PodTemplate template) {}

  /// As an operator reads it.
  record Seen(PodTemplate template, int version) {}

  private final Server server;
  final int replicas;
  final List<Starting> starting = new ArrayList<>();
  private PodTemplate template = template("", NONE, false, new TreeMap<>());

  /// What all pods ran when they last ran one revision.
  private PodTemplate agreed = template;

  private boolean isGivenUp;
  private int version;
  private int pods;

  PodSet(Server server, int replicas) {
    this.server = server;
    this.replicas = replicas;
  }

  private static PodTemplate template(
      String label, int secret, boolean hasFlag, Map<String, String> directories) {
    var secrets = new TreeMap<String, String>();
    if (secret != NONE) {
      secrets.put(PodTemplate.CONFIG_DIRECTORY, SECRET + secret);
    }
    return new PodTemplate(
        hasFlag ? Optional.of(PodTemplate.CONFIG_FILE) : Optional.empty(),
        secrets,
        new TreeMap<>(directories),
        label);
  }

  PodTemplate template() {
    return template;
  }

  Seen seen() {
    return new Seen(template, version);
  }

  int version() {
    return version;
  }

  boolean isGivenUp() {
    return isGivenUp;
  }

  /// Somebody writes the template.
  void write(PodTemplate changed) {
    if (!changed.equals(template)) {
      template = changed;
      isGivenUp = false;
    }
    version = server.stamp();
  }

  /// The revision that a pod of this template reads: 0 where it encrypts nothing, or where it has
  /// the flag and no Secret, which no API server starts with.
  static int revision(PodTemplate one) {
    return secret(one) == NONE || one.configFlag().isEmpty() ? 0 : secret(one);
  }

  /// The revision whose Secret is mounted.
  private static int secret(PodTemplate one) {
    String name = one.secrets().get(PodTemplate.CONFIG_DIRECTORY);
    return name == null ? NONE : Integer.parseInt(name.substring(SECRET.length()));
  }

  /// Whether every pod that starts from now on runs this revision.
  boolean starts(int revision) {
    return starting.isEmpty() && revision(template) == revision;
  }

  /// The controller does the next thing that is due.
  void control() {
    List<Instance> all = server.instances;
    Instance ending = find(true);
    if (ending != null && all.size() > 1) {
      all.remove(ending);
      return;
    }
    if (starting.removeIf(one -> !one.template().equals(template))) {
      return;
    }
    long alive = all.stream().filter(one -> !one.isEnding).count() + starting.size();
    long fresh = all.stream().filter(one -> !isOld(one) && !one.isEnding).count() + starting.size();
    if (fresh < replicas && alive <= replicas) {
      starting.add(new Starting(server.name + "-pod-" + pods++, template));
      return;
    }
    Instance old = find(false);
    if (old != null && (!old.ready || alive > replicas) && all.size() > 1) {
      old.ready = false;
      old.isEnding = true;
    }
  }

  private boolean isOld(Instance one) {
    return !template.equals(one.template);
  }

  /// One that ends, or one of another template that should; first one that is not ready.
  private @Nullable Instance find(boolean ending) {
    Instance found = null;
    for (Instance one : server.instances) {
      boolean isIt = ending ? one.isEnding : isOld(one) && !one.isEnding;
      if (isIt && (found == null || !one.ready)) {
        found = one;
      }
    }
    return found;
  }

  /// The kubelet starts a pod. It waits for a Secret that does not exist.
  boolean start(long now) {
    if (starting.isEmpty()) {
      return false;
    }
    PodTemplate made = starting.getFirst().template();
    boolean hasFlag = made.configFlag().isPresent();
    int revision = revision(made);
    Server.Revision files = server.revisions.get(revision);
    if (files == null || (hasFlag && made.secrets().isEmpty())) {
      return false;
    }
    starting.removeFirst();
    // Somebody took the flag away: the API server starts, and encrypts nothing.
    boolean isBare = !hasFlag && secret(made) != NONE;
    Instance added =
        server.newInstance(
            isBare ? NONE : revision, isBare ? new Server.Revision(null, true, NONE) : files, now);
    added.template = made;
    added.ready = false;
    server.instances.add(added);
    return true;
  }

  /// A node is drained. The last pod stays.
  void evict(Instance one) {
    if (server.instances.size() > 1) {
      server.instances.remove(one);
    }
  }

  void giveUp() {
    boolean isDone =
        starting.isEmpty() && server.instances.stream().noneMatch(one -> isOld(one) || !one.ready);
    isGivenUp = !isDone;
  }

  /// Somebody undoes a rollout that is on its way.
  void undo() {
    if (revision(template) > revision(agreed)) {
      write(agreed);
    }
  }

  /// Notes when all pods run what the template says. One of another template may read the same
  /// revision: nobody undoes a rollout that has reached every pod.
  void look() {
    if (starting.isEmpty() && server.instances.stream().allMatch(this::runsTheTemplate)) {
      agreed = template;
    }
  }

  private boolean runsTheTemplate(Instance one) {
    return one.revision == revision(template) || (!isOld(one) && !one.isEnding);
  }

  /// Somebody edits the template.
  void edit(int which) {
    int secret = secret(template);
    boolean hasFlag = template.configFlag().isPresent();
    var directories = new TreeMap<>(template.directories());
    switch (which % 4) {
      case 0 -> write(template(template.label(), secret, false, directories));
      case 1 -> write(template("", secret, hasFlag, directories));
      case 2 -> write(template(template.label(), secret, hasFlag, new TreeMap<>()));
      default -> {
        directories.replaceAll((_, _) -> "/mnt/other");
        write(template(template.label(), secret, hasFlag, directories));
      }
    }
  }

  /// Somebody takes away what they mounted over the sockets of plugins.
  void repair() {
    var directories = new TreeMap<>(template.directories());
    if (directories.values().removeIf("/mnt/other"::equals)) {
      write(
          new PodTemplate(
              template.configFlag(), template.secrets(), directories, template.label()));
    }
  }

  /// Whether a pod of this template reaches the plugins that it needs.
  static boolean reachesPlugins(PodTemplate one, EncryptionLayout layout) {
    for (Key key : layout.keys()) {
      if (key.kms().isPresent()) {
        String socket = key.kms().orElseThrow().endpoint().endpoint().substring("unix://".length());
        String directory = socket.substring(0, socket.lastIndexOf('/'));
        if (!Objects.equals(one.directories().get(directory), directory)) {
          return false;
        }
      }
    }
    return true;
  }
}
