package io.keyward.testbed.binary;

import io.keyward.testbed.process.LogTail;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program from the Python package index, in the cache of the servers.
///
/// @param name names the directory
/// @param requirement what pip is asked for, with its version
public record PythonPackage(String name, String requirement) {
  /// The directory for `PYTHONPATH`. Installed there where that was never done.
  public Path ensure() {
    String directory = name + "-" + requirement.replaceAll("[^0-9.]", "");
    Path home = CacheDirectory.of(System.getenv()).resolve("python").resolve(directory);
    return Files.isDirectory(home) ? home : install(home);
  }

  private Path install(Path home) {
    Talk.stderr().say("keyward: installing " + requirement + " with pip (about a minute)");
    try {
      Files.createDirectories(home.getParent());
      Path fresh = Files.createTempDirectory(home.getParent(), name);
      Path log = home.resolveSibling(fresh.getFileName() + ".log");
      List<String> command =
          List.of(
              "python3", "-m", "pip", "install", "--quiet", "--target", fresh + "", requirement);
      Process pip =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!pip.waitFor(10, TimeUnit.MINUTES) || pip.exitValue() != 0) {
        pip.destroyForcibly();
        throw new TestbedException(
            "pip could not install " + requirement,
            "install Python 3.10 or newer with pip, and check that it reaches its index",
            LogTail.of(log, 15));
      }
      Files.delete(log);
      publish(fresh, home);
      return home;
    } catch (IOException e) {
      throw new TestbedException(
          "cannot install " + requirement, "python3 with pip is needed to test with it", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while installing " + requirement, "try again", e);
    }
  }

  /// In one step. If two installed at once, either result is right.
  private static void publish(Path fresh, Path home) throws IOException {
    try {
      Files.move(fresh, home);
    } catch (IOException e) {
      if (!Files.isDirectory(home)) {
        throw e;
      }
    }
  }
}
