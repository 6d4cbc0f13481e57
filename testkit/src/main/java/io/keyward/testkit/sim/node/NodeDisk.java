package io.keyward.testkit.sim.node;

import io.keyward.core.rollout.node.ApiServerProcess;
import io.keyward.core.rollout.node.NodeView.OnDisk;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// The files of one node. Each method writes one file; an agent may crash between any two.
///
/// The number of the revision is in the manifest of a static pod, or in a file of its own.
public final class NodeDisk<C> {
  /// A node with one file has it here.
  private static final int ONLY = 0;

  private final boolean isStaticPod;
  private final TreeMap<Integer, ConfigFile<C>> files = new TreeMap<>();
  private final Map<Integer, String> digests = new HashMap<>();
  private final Map<Integer, ApiServerProcess> before = new HashMap<>();
  private final ConfigFile<C> none;
  private int number;
  private Instant writtenAt = Instant.EPOCH;

  /// @param provisioned what the node was set up with; revision 0 without a digest is no file
  NodeDisk(boolean isStaticPod, ConfigFile<C> provisioned) {
    this.isStaticPod = isStaticPod;
    this.none = provisioned;
    if (provisioned.revision() > 0) {
      writeDigest(provisioned);
      writeConfig(provisioned);
      number = provisioned.revision();
    }
  }

  private int place(int revision) {
    return isStaticPod ? revision : ONLY;
  }

  public int number() {
    return number;
  }

  /// What an API server reads that starts now.
  public ConfigFile<C> config() {
    return files.getOrDefault(place(number), none);
  }

  /// Whether the manifest names a directory that is there.
  boolean isStartable() {
    return !isStaticPod || number == 0 || files.containsKey(number);
  }

  void writeDigest(ConfigFile<C> file) {
    digests.put(file.revision(), file.digest());
  }

  void writeConfig(ConfigFile<C> file) {
    files.put(place(file.revision()), file);
  }

  void writeBefore(int revision, Optional<ApiServerProcess> running) {
    before.clear();
    running.ifPresent(one -> before.put(revision, one));
  }

  /// The old pod reads the directory before the present one until it has stopped.
  void writeNumber(int revision, Instant at) {
    int old = number;
    number = revision;
    writtenAt = at;
    files.keySet().removeIf(one -> isStaticPod && one < revision && one != old);
  }

  void keepDigestOf(int revision) {
    if (!isStaticPod) {
      digests.keySet().removeIf(one -> one != revision);
    }
  }

  /// Somebody edits the file that the number names.
  public void edit() {
    files.computeIfPresent(place(number), (_, file) -> file.edited());
  }

  /// Somebody restores it from the revision.
  public void restore(ConfigFile<C> file) {
    if (isEdited() && file.revision() == config().revision()) {
      writeConfig(file);
    }
  }

  /// Whether an agent wrote what is in the file.
  private boolean isKnown(ConfigFile<C> file) {
    return digests.containsValue(file.digest());
  }

  public boolean isEdited() {
    return files.containsKey(place(number)) && !isKnown(config());
  }

  /// Somebody encrypted before Keyward came: the file is no revision.
  public boolean isForeign() {
    return number == 0 && !none.digest().isEmpty();
  }

  /// Where there is one file, one that no agent wrote would be lost by a write.
  Optional<String> existing() {
    return isForeign() || (!isStaticPod && isEdited())
        ? Optional.of("a configuration in /etc/kubernetes/enc.yaml")
        : Optional.empty();
  }

  OnDisk view() {
    String written = digests.get(number);
    return new OnDisk(
        number,
        config().digest(),
        isNewConfig(),
        writtenAt,
        Optional.ofNullable(before.get(number)),
        written == null || written.equals(config().digest()));
  }

  /// A node with one file keeps nothing to compare it with.
  private boolean isNewConfig() {
    var older = files.lowerEntry(number);
    return isStaticPod
        && (older == null || !Objects.equals(older.getValue().digest(), config().digest()));
  }
}
