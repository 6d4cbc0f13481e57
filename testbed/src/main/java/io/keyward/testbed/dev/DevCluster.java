package io.keyward.testbed.dev;

import io.keyward.testbed.ApiServer;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.Distribution;
import io.keyward.testbed.TestServer;
import io.keyward.testbed.Trees;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.dev.DevStatus.Condition;
import io.keyward.testbed.dev.DevStatus.Health;
import io.keyward.testbed.dev.DevStatus.ServerStatus;
import io.keyward.testbed.kubeadm.ContainerHost;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.process.LogTail;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The one dev cluster of a directory.
public final class DevCluster {
  /// Of what is not in the directory of the cluster.
  private static final String LOGS = "logs";

  private static final Set<String> OWN_FILES = Set.of(DevState.FILE, DevLock.FILE, LOGS);
  private static final List<ServerBinary> PROGRAMS =
      List.of(ServerBinary.ETCD, ServerBinary.KUBE_APISERVER, ServerBinary.KUBE_CONTROLLER_MANAGER);
  private static final int TAIL = 15;

  private final Path directory;
  private final ServerBinaries binaries;
  private final Consumer<String> talk;

  /// What is done is told to `talk`, a sentence at a time.
  public DevCluster(Path directory, ServerBinaries binaries, Consumer<String> talk) {
    this.directory = directory.toAbsolutePath().normalize();
    this.binaries = binaries;
    this.talk = talk;
  }

  public Path directory() {
    return directory;
  }

  public Optional<DevState> state() {
    return DevState.read(directory);
  }

  /// Makes the cluster, or brings back what is missing of it. The encryption configuration counts
  /// only for a new one.
  public DevState up(int apiServers, Optional<String> encryptionConfig) {
    createDirectory();
    try (var _ = DevLock.take(directory)) {
      Optional<DevState> before = state();
      if (before.isPresent() && before.get().complete()) {
        return bringBack(before.get());
      }
      before.ifPresent(this::discardUnfinished);
      return create(apiServers, encryptionConfig);
    }
  }

  /// Makes a managed cluster. It does not come back by itself once its holder is gone.
  public DevState upManaged(Path home) {
    return upHeld(
        List.of(ServerBinary.ETCD, ServerBinary.ETCDCTL, ServerBinary.KUBE_APISERVER),
        "starting three nodes and Keyward",
        "keyward dev up --managed",
        () -> ManagedDev.start(new Distribution(home), cluster()),
        ManagedDev.socketDirectories(cluster()));
  }

  /// Makes a cluster with kubeadm. It does not come back by itself once its holder is gone.
  public DevState upKubeadm(Path home, int nodes) {
    ContainerHost.require();
    return upHeld(
        KubeadmCluster.PROGRAMS,
        "starting " + nodes + " node(s) with kubeadm, about a minute each",
        "keyward dev up --kubeadm",
        () ->
            KubeadmDev.start(
                new Distribution(home),
                cluster(),
                directory.resolve(LOGS).resolve(KubeadmDev.NAME + ".log"),
                nodes),
        List.of());
  }

  /// @param again the command that makes such a cluster
  private DevState upHeld(
      List<ServerBinary> programs,
      String sentence,
      String again,
      Supplier<DevServer> start,
      List<Path> sockets) {
    createDirectory();
    try (var _ = DevLock.take(directory)) {
      Optional<DevState> before = state();
      if (before.isPresent() && before.get().complete()) {
        if (!before.get().servers().stream().allMatch(DevServer::isRunning)) {
          throw new TestbedException("the cluster has ended", "keyward dev down, then " + again);
        }
        return before.get();
      }
      before.ifPresent(this::discardUnfinished);
      refuseForeignDirectory();
      programs.forEach(binaries::ensure);
      new DevState(false, List.of(), List.of(), List.of()).write(directory);
      talk.accept(sentence);
      var state =
          new DevState(
              true, List.of(start.get()), List.of(cluster().resolve("kubeconfig")), sockets);
      state.write(directory);
      return state;
    }
  }

  public DevStatus status() {
    Optional<DevState> state = state();
    if (state.isEmpty()) {
      return new DevStatus(Health.NONE, directory, List.of());
    }
    List<ServerStatus> servers =
        state.get().servers().parallelStream().map(DevCluster::statusOf).toList();
    List<Condition> conditions = servers.stream().map(ServerStatus::condition).toList();
    Health health = state.get().complete() ? DevStatus.healthOf(conditions) : Health.UNFINISHED;
    return new DevStatus(health, directory, servers);
  }

  /// Stops every server; false where there was no cluster.
  public boolean down(boolean keepFiles) {
    if (state().isEmpty()) {
      return false;
    }
    try (var _ = DevLock.take(directory)) {
      state().ifPresent(state -> stop(state, keepFiles));
    }
    if (!keepFiles) {
      removeDirectory();
    }
    return true;
  }

  private DevState create(int apiServers, Optional<String> encryptionConfig) {
    refuseForeignDirectory();
    // Before anything is written: a build that fails leaves no cluster behind.
    PROGRAMS.forEach(binaries::ensure);
    // Before anything starts: if this command is killed from here on, the next one knows what to
    // clean up.
    new DevState(false, List.of(), List.of(), List.of()).write(directory);
    ControlPlane plane =
        ControlPlane.builder(cluster())
            .apiServers(apiServers)
            .controllerManager(true)
            .durable(true)
            .apiServerArguments(reload(encryptionConfig))
            .binaries(binaries)
            .detached()
            .create();
    encryptionConfig.ifPresent(
        yaml -> plane.apiServers().forEach(server -> server.writeEncryptionConfig(yaml)));
    boolean complete = false;
    try {
      for (TestServer server : plane.servers()) {
        talk.accept("starting " + server.name());
        server.startReady();
        remember(plane, false);
      }
      complete = true;
      return remember(plane, true);
    } finally {
      if (!complete) {
        plane.close();
      }
    }
  }

  /// The flag is wrong without a configuration to watch.
  private static String[] reload(Optional<String> encryptionConfig) {
    return encryptionConfig
        .map(_ -> new String[] {"--encryption-provider-config-automatic-reload=true"})
        .orElseGet(() -> new String[0]);
  }

  private DevState remember(ControlPlane plane, boolean complete) {
    var state =
        new DevState(
            complete,
            plane.servers().stream()
                .filter(TestServer::isRunning)
                .map(server -> DevServer.of(server, plane.pki()))
                .toList(),
            plane.apiServers().stream().map(ApiServer::adminKubeconfig).toList(),
            plane.apiServers().stream().map(ApiServer::socketDirectory).toList());
    state.write(directory);
    return state;
  }

  private DevState bringBack(DevState state) {
    if (state.servers().stream().allMatch(DevServer::isRunning)) {
      talk.accept("the cluster in " + directory + " is already up");
      return state;
    }
    List<DevServer> servers = new ArrayList<>(state.servers());
    for (int i = 0; i < servers.size(); i++) {
      if (!servers.get(i).isRunning()) {
        talk.accept(servers.get(i).name() + " is not running any more, starting it again");
        servers.set(i, servers.get(i).startedAgain());
        var repaired = new DevState(true, servers, state.kubeconfigs(), state.socketDirectories());
        repaired.write(directory);
        awaitAnswer(servers.get(i));
      }
    }
    // Those that went on have missed it, and need a moment to notice that it is back.
    servers.forEach(DevCluster::awaitAnswer);
    return new DevState(true, servers, state.kubeconfigs(), state.socketDirectories());
  }

  private static void awaitAnswer(DevServer server) {
    Waiting.until(() -> !server.isRunning() || server.answers(), TestServer.READY_LIMIT);
    if (!server.isRunning() || !server.answers()) {
      throw new TestbedException(
          server.name() + " does not come back",
          "make a new cluster: keyward dev down, then keyward dev up; full log: " + server.log(),
          LogTail.of(server.log(), TAIL));
    }
  }

  private void discardUnfinished(DevState state) {
    talk.accept("an earlier start did not finish, its remains are removed");
    stop(state, false);
  }

  private void stop(DevState state, boolean keepFiles) {
    for (DevServer server : state.servers().reversed()) {
      ServerProcess process = server.process();
      if (process.isRunning()) {
        talk.accept("stopping " + server.name());
        process.stop();
      }
    }
    if (!keepFiles) {
      state.socketDirectories().forEach(Trees::delete);
      Trees.delete(cluster());
      Trees.delete(directory.resolve(LOGS));
      Trees.delete(directory.resolve(DevState.FILE));
    }
  }

  private static ServerStatus statusOf(DevServer server) {
    return new ServerStatus(
        server.name(),
        conditionOf(server),
        server.identity().pid(),
        server.readyEndpoint().resolve("/"),
        server.log());
  }

  private static Condition conditionOf(DevServer server) {
    if (!server.isRunning()) {
      return Condition.DEAD;
    }
    if (server.identity().isPaused()) {
      return Condition.PAUSED;
    }
    return server.answers() ? Condition.READY : Condition.NOT_READY;
  }

  private Path cluster() {
    return directory.resolve("cluster");
  }

  private void createDirectory() {
    try {
      if (!Files.exists(directory)) {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
      }
    } catch (IOException e) {
      throw new TestbedException(
          "cannot create " + directory, "choose another directory with --dir", e);
    }
  }

  /// Only what is empty: the directory may have been there before us.
  private void removeDirectory() {
    try {
      Files.deleteIfExists(directory.resolve(DevLock.FILE));
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException _) {
      talk.accept("other files are left in " + directory);
    } catch (IOException e) {
      throw new TestbedException("cannot delete " + directory, "delete it by hand", e);
    }
  }

  /// `down` deletes what it finds here, so nothing of others may lie in it.
  private void refuseForeignDirectory() {
    try (Stream<Path> files = Files.list(directory)) {
      Set<String> foreign =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !OWN_FILES.contains(name))
              .collect(Collectors.toSet());
      if (!foreign.isEmpty()) {
        throw new TestbedException(
            directory + " holds other files", "choose an empty directory with --dir");
      }
    } catch (IOException e) {
      throw new TestbedException("cannot read " + directory, "choose another with --dir", e);
    }
  }
}
