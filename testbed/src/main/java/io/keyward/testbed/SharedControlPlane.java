package io.keyward.testbed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// One control plane for all tests of a JVM that need no special one: a start costs several seconds
/// of processor time. Ends with the JVM.
public final class SharedControlPlane {
  private final ControlPlane plane;
  private final Set<String> atStart;

  private SharedControlPlane() {
    try {
      Path directory = Files.createTempDirectory("shared-control-plane");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> Trees.delete(directory)));
      plane = ControlPlane.builder(directory.resolve("plane")).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    atStart = keys();
  }

  /// Starts when it is first used.
  private static final class Holder {
    static final SharedControlPlane ONE = new SharedControlPlane();
  }

  /// The control plane, holding what it held after its start. Whoever used it before must be done.
  public static ControlPlane cleared() {
    Holder.ONE.clear();
    return Holder.ONE.plane;
  }

  private synchronized void clear() {
    Set<String> left = new TreeSet<>(keys());
    left.removeAll(atStart);
    while (!left.isEmpty()) {
      String key = left.iterator().next();
      String directory = key.substring(0, key.lastIndexOf('/') + 1);
      if (atStart.stream().anyMatch(kept -> kept.startsWith(directory))) {
        plane.etcdctl("del", key);
        left.remove(key);
      } else {
        plane.etcdctl("del", "--prefix", directory);
        left.removeIf(other -> other.startsWith(directory));
      }
    }
  }

  private Set<String> keys() {
    String listed =
        new String(plane.etcdctl("get", "--prefix", "/registry/", "--keys-only"), UTF_8);
    return listed.lines().filter(line -> !line.isEmpty()).collect(Collectors.toUnmodifiableSet());
  }
}
