package io.keyward.dev.demo;

import io.keyward.cli.CommandFailure;
import io.keyward.dev.Home;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.Trees;
import io.keyward.testbed.binary.ServerBinaries;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Everything the demo runs, in one directory that goes when the demo ends, however it ends.
final class Stage implements AutoCloseable {
  private final Path directory;
  private final boolean keep;
  private final Thread onInterrupt = new Thread(this::strike, "strike");
  private final ManagedCluster cluster;

  private Stage(Path directory, boolean keep, Story story) {
    this.directory = directory;
    this.keep = keep;
    cluster =
        new ManagedCluster(
            directory.resolve("c"),
            Home.ofThisProcess(),
            ServerBinaries.ofThisMachine(),
            story::tell);
    Runtime.getRuntime().addShutdownHook(onInterrupt);
  }

  static Stage in(@Nullable Path wanted, Story story) throws IOException {
    if (wanted == null) {
      return new Stage(Files.createTempDirectory("kw-demo"), false, story);
    }
    try {
      return new Stage(Files.createDirectory(wanted.toAbsolutePath()), true, story);
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailure(wanted + " is already there", "give a directory that is not", e);
    }
  }

  ManagedCluster cluster() {
    return cluster;
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  private void strike() {
    cluster.close();
    if (!keep) {
      Trees.delete(directory);
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(onInterrupt);
    strike();
  }
}
