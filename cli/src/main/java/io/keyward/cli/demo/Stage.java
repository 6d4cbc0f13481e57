package io.keyward.cli.demo;

import io.keyward.cli.CommandFailure;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.KeywardPlugin;
import io.keyward.testbed.Trees;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Everything the demo runs, in one directory that goes when the demo ends, however it ends.
final class Stage implements AutoCloseable {
  private final Path directory;
  private final boolean keep;
  private final Thread onInterrupt = new Thread(this::strike, "strike");
  private final ControlPlane plane;
  private Optional<KeywardPlugin> plugin = Optional.empty();

  private Stage(Path directory, boolean keep) {
    this.directory = directory;
    this.keep = keep;
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    plane = ControlPlane.builder(directory.resolve("plane")).apiServers(2).create();
  }

  static Stage in(@Nullable Path wanted) throws IOException {
    if (wanted == null) {
      return new Stage(Files.createTempDirectory("kw-demo"), false);
    }
    try {
      return new Stage(Files.createDirectory(wanted.toAbsolutePath()), true);
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailure(wanted + " is already there", "give a directory that is not", e);
    }
  }

  ControlPlane plane() {
    return plane;
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  Path socket() {
    return plane.apiServer(0).socketDirectory().resolve("kms");
  }

  void startPlugin(Path config) {
    plugin = Optional.of(KeywardPlugin.start(DemoCommand.home(), config, Map.of()));
  }

  private void strike() {
    plugin.ifPresent(KeywardPlugin::close);
    plane.close();
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
