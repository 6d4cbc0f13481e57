package io.keyward.testbed;

import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.Pki;
import io.keyward.testbed.process.Launch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A real Kubernetes control plane on this machine: one etcd, one to five kube-apiservers on it,
/// and the controller manager if wanted. TLS everywhere, RBAC on, all on loopback.
///
/// [Builder#create] lays everything out and starts nothing, so that files can be written and parts
/// started one by one. [Builder#start] also starts all of it.
public final class ControlPlane implements AutoCloseable {
  public static final int MOST_API_SERVERS = 5;

  private final ControlPlaneHome site;
  private final Etcd etcd;
  private final List<ApiServer> apiServers;
  private final Optional<ControllerManager> controllerManager;

  private ControlPlane(Builder wanted) {
    ControlPlaneHome.createPrivate(wanted.directory);
    site =
        new ControlPlaneHome(
            wanted.directory,
            wanted.binaries,
            Pki.create(wanted.directory.resolve("pki")),
            wanted.lifetime);
    etcd = new Etcd(site, wanted.durable);
    apiServers =
        IntStream.range(0, wanted.apiServers)
            .mapToObj(index -> new ApiServer(index, site, etcd, wanted.apiServerArguments))
            .toList();
    controllerManager =
        wanted.controllerManager
            ? Optional.of(new ControllerManager(site, apiServers.getFirst()))
            : Optional.empty();
  }

  /// The directory is new or empty; everything the servers write goes below it.
  public static Builder builder(Path directory) {
    return new Builder(directory.toAbsolutePath().normalize());
  }

  /// Starts every part that does not run, and waits until all are ready.
  public void start() {
    buildPrograms();
    startUnlessRunning(etcd);
    // The first API server fills an empty etcd; the others would only get in its way.
    startUnlessRunning(apiServers.getFirst());
    apiServers.stream().skip(1).parallel().forEach(ControlPlane::startUnlessRunning);
    controllerManager.ifPresent(ControlPlane::startUnlessRunning);
  }

  public Etcd etcd() {
    return etcd;
  }

  /// The output of etcdctl, byte for byte.
  public byte[] etcdctl(String... arguments) {
    return etcd.ctl(arguments);
  }

  public ApiServer apiServer(int index) {
    return apiServers.get(index);
  }

  public List<ApiServer> apiServers() {
    return apiServers;
  }

  public ControllerManager controllerManager() {
    return controllerManager.orElseThrow(
        () -> new IllegalStateException("built without a controller manager"));
  }

  /// An aggregated API server on the same etcd. The caller starts, registers and closes it.
  public SampleApiServer newSampleApiServer() {
    return SampleApiServer.create(this, site);
  }

  /// Acts as this user. The caller starts and closes it.
  public StorageVersionMigrator newStorageVersionMigrator(KeyPairFiles user) {
    return new StorageVersionMigrator(site, apiServer(0), user);
  }

  /// The admin's, for one API server.
  public Path kubeconfig(int index) {
    return apiServer(index).adminKubeconfig();
  }

  public Pki pki() {
    return site.pki();
  }

  public Path directory() {
    return site.directory();
  }

  /// In the order in which they start.
  public List<TestServer> servers() {
    List<TestServer> all = new ArrayList<>();
    all.add(etcd);
    all.addAll(apiServers);
    controllerManager.ifPresent(all::add);
    return all;
  }

  /// Kills every part. The directory stays.
  @Override
  public void close() {
    servers().reversed().forEach(TestServer::close);
  }

  /// Builds every program that a start needs, so that no build hides in the middle of one.
  public void buildPrograms() {
    site.binaries().ensure(ServerBinary.ETCD);
    site.binaries().ensure(ServerBinary.KUBE_APISERVER);
    if (controllerManager.isPresent()) {
      site.binaries().ensure(ServerBinary.KUBE_CONTROLLER_MANAGER);
    }
  }

  private static void startUnlessRunning(TestServer server) {
    if (!server.isRunning()) {
      server.startReady();
    }
  }

  /// What a control plane consists of.
  public static final class Builder {
    private final Path directory;
    private int apiServers = 1;
    private boolean controllerManager;
    private boolean durable;
    private List<String> apiServerArguments = List.of();
    private Launch.Lifetime lifetime = Launch.Lifetime.WITH_JVM;
    private ServerBinaries binaries = ServerBinaries.ofThisMachine();

    private Builder(Path directory) {
      this.directory = directory;
    }

    /// One to five.
    public Builder apiServers(int count) {
      if (count < 1 || count > MOST_API_SERVERS) {
        throw new IllegalArgumentException("one to five API servers, not " + count);
      }
      apiServers = count;
      return this;
    }

    public Builder controllerManager(boolean wanted) {
      controllerManager = wanted;
      return this;
    }

    /// Lets etcd wait for the disk. Off unless asked for: tests are faster without.
    public Builder durable(boolean wanted) {
      durable = wanted;
      return this;
    }

    /// For every API server; see also [ApiServer#useArguments].
    public Builder apiServerArguments(String... arguments) {
      apiServerArguments = List.of(arguments);
      return this;
    }

    /// Lets the servers outlive this JVM.
    public Builder detached() {
      lifetime = Launch.Lifetime.DETACHED;
      return this;
    }

    public Builder binaries(ServerBinaries source) {
      binaries = source;
      return this;
    }

    /// Lays out files and ports, and starts nothing.
    public ControlPlane create() {
      return new ControlPlane(this);
    }

    /// Also starts everything. What did start is ended again where something fails.
    public ControlPlane start() {
      ControlPlane plane = create();
      boolean up = false;
      try {
        plane.start();
        up = true;
        return plane;
      } finally {
        if (!up) {
          plane.close();
        }
      }
    }
  }
}
