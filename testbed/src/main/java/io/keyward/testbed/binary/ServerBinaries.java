package io.keyward.testbed.binary;

import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Gives the path of a server's program, and builds it first where that was never done.
public final class ServerBinaries {
  private final Map<String, String> environment;
  private final Talk talk;
  private final DiskSpace disk;

  /// Reads `KUBEBUILDER_ASSETS`, `KEYWARD_CACHE`, `XDG_CACHE_HOME`, `HOME`, `PATH` and the settings
  /// of Go from the environment given.
  public ServerBinaries(Map<String, String> environment, Talk talk) {
    this(environment, talk, DiskSpace::ofFileStore);
  }

  ServerBinaries(Map<String, String> environment, Talk talk, DiskSpace disk) {
    this.environment = Map.copyOf(environment);
    this.talk = talk;
    this.disk = disk;
  }

  public static ServerBinaries ofThisMachine() {
    return new ServerBinaries(System.getenv(), Talk.stderr());
  }

  public Path ensure(ServerBinary binary) {
    return asset(binary).orElseGet(() -> build(binary));
  }

  /// Where envtest's assets lack a program, as they do for the controller manager, it is built.
  private Optional<Path> asset(ServerBinary binary) {
    String assets = environment.getOrDefault("KUBEBUILDER_ASSETS", "");
    if (assets.isEmpty() || !binary.isKubebuilderAsset()) {
      return Optional.empty();
    }
    if (!Files.isDirectory(Path.of(assets))) {
      throw new TestbedException(
          "KUBEBUILDER_ASSETS names " + assets + ", which is not a directory",
          "correct it, or unset it to let Keyward build the servers");
    }
    return Optional.of(Path.of(assets, binary.programName())).filter(Files::isExecutable);
  }

  private Path build(ServerBinary binary) {
    GoModule module = GoModule.load(binary.module());
    GoToolchain go = GoToolchain.find(environment);
    go.require(module.oldestGo(), binary);
    Path home = createHome(BuildKey.of(binary, module, go));
    Path program = home.resolve(binary.programName());
    if (Files.isExecutable(program)) {
      return program;
    }
    try (var _ = BuildLock.take(home.resolveSibling("build.lock"), binary, talk)) {
      // Another process may have built it while this one waited.
      return Files.isExecutable(program)
          ? program
          : new GoBuild(binary, go, environment, talk, disk).into(home, module);
    }
  }

  private Path createHome(String key) {
    Path home = CacheDirectory.of(environment).resolve("servers").resolve(key);
    try {
      return Files.createDirectories(home).toRealPath();
    } catch (IOException e) {
      throw new TestbedException(
          "cannot create " + home, "set KEYWARD_CACHE to a directory you may write to", e);
    }
  }
}
