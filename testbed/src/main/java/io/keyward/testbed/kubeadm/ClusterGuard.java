package io.keyward.testbed.kubeadm;

import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Removes namespaces, cgroups and files of a cluster when it is closed, and also when this JVM is
/// gone without closing it: the kernel closes the pipe to a shell, and the shell then does the
/// work.
final class ClusterGuard implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Process shell;

  private ClusterGuard(Process shell) {
    this.shell = shell;
  }

  static ClusterGuard start(Path script, String cluster, Path home) {
    try {
      return new ClusterGuard(
          new ProcessBuilder("setsid", "sh", script.toString(), cluster, home.toString())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new TestbedException(
          "cannot start the guard of a cluster", "install setsid (package util-linux) and sh", e);
    }
  }

  @Override
  public void close() {
    try {
      shell.getOutputStream().close();
      if (!shell.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new TestbedException(
            "the remains of a cluster are not removed", "look at process " + shell.pid());
      }
    } catch (IOException e) {
      throw new TestbedException("the guard of a cluster is gone", "look at ip netns list", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
