package io.keyward.testbed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.Pki;
import io.keyward.testbed.pod.NodeRoot;
import io.keyward.testbed.pod.PodRunner;
import io.keyward.testbed.process.Keeper;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.Ports;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Three control-plane nodes on this machine whose API servers are static pods, one etcd, a load
/// balancer, and Keyward's operator and node agents from a distribution.
///
/// What ends is started again: containers by the node's pod runner, the rest by a keeper. Needs
/// root.
public final class ManagedCluster implements AutoCloseable {
  public static final int NODES = 3;
  private static final int FIRST_ADDRESS = 11;

  private final ControlPlaneHome site;
  private final Distribution keyward;
  private final ManagedKeyward own;
  private final Consumer<String> talk;
  private final Etcd etcd;
  private final List<NodeRoot> nodes;
  private final int port = Ports.free();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<PodRunner> runners = new ArrayList<>();
  private final List<ServerProcess> agents = new ArrayList<>();
  private final List<ServerProcess> operators = new ArrayList<>();
  private final ReadyGate gate;

  /// Lays everything out and starts nothing.
  ///
  /// @param directory new or empty, with a short path: sockets lie below it
  public ManagedCluster(Path directory, Path home, ServerBinaries binaries, Consumer<String> talk) {
    ControlPlaneHome.createPrivate(directory);
    this.site =
        new ControlPlaneHome(
            directory.toAbsolutePath().normalize(),
            binaries,
            Pki.create(directory.toAbsolutePath().normalize().resolve("pki")),
            Launch.Lifetime.WITH_JVM);
    this.keyward = new Distribution(home);
    this.own = new ManagedKeyward(site, keyward);
    this.talk = talk;
    this.etcd = new Etcd(site, false);
    this.nodes = IntStream.range(0, NODES).mapToObj(i -> node(site.directory(), i)).toList();
    this.gate = new ReadyGate(IntStream.range(0, NODES).mapToObj(this::url).toList(), site.pki());
    open.add(gate);
  }

  private static NodeRoot node(Path directory, int index) {
    return new NodeRoot(
        "node-" + index, "127.0.0." + (FIRST_ADDRESS + index), directory.resolve("n" + index));
  }

  /// Where etcd holds a resource of this cluster.
  public static String stored(String resource) {
    return "/registry/" + resource + "/";
  }

  /// Where plugins put their sockets on a node of the cluster in this directory.
  public static Path sockets(Path directory, int index) {
    return node(directory, index).sockets();
  }

  /// Returns when all API servers are ready and the operator runs.
  public void start() {
    Map<String, Path> images =
        Map.of(ManagedManifest.IMAGE, site.binaries().ensure(ServerBinary.KUBE_APISERVER));
    site.binaries().ensure(ServerBinary.ETCDCTL);
    talk.accept("starting etcd");
    etcd.startReady();
    open.add(Keeper.of(etcd.process()));
    ObjectNode manifest = ManagedManifest.of(site.pki(), etcd, serving(), port);
    for (int i = 0; i < NODES; i++) {
      talk.accept("starting the API server of " + nodes.get(i).name());
      prepare(nodes.get(i), manifest);
      var runner = new PodRunner(nodes.get(i), images, site.directory().resolve("r" + i));
      open.add(runner);
      runners.add(runner);
      // The first API server fills an empty etcd; the others would only get in its way.
      if (i == 0) {
        awaitReady(0);
      }
    }
    IntStream.range(1, NODES).forEach(this::awaitReady);
    KubeconfigFile.write(kubeconfig(), gate.door(0), site.pki().clusterCa(), site.pki().admin());
    talk.accept("starting the operator and the node agents");
    configure(manifest);
    startKeyward();
  }

  private KeyPairFiles serving() {
    var names = new ArrayList<>(List.of("localhost", "kubernetes.default.svc"));
    nodes.forEach(node -> names.add(node.address()));
    return site.pki().server("kube-apiserver", names);
  }

  private void prepare(NodeRoot node, ObjectNode manifest) {
    node.make(NodeRoot.MANIFESTS);
    Path copy = node.make(Path.of(ManagedManifest.PKI));
    ObjectNode first = manifest.deepCopy();
    first.withObject("/metadata").withObject("labels").put("revision", "0");
    try (Stream<Path> files = Files.list(site.pki().directory())) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
      KubeconfigFile.write(
          copy.resolve(ManagedManifest.KUBECONFIG),
          gate.door(0),
          site.pki().clusterCa(),
          site.pki().admin());
      Path partial = node.manifests().resolve(".first");
      Files.writeString(partial, first.toPrettyString());
      Files.move(partial, node.manifests().resolve("kube-apiserver.yaml"));
    } catch (IOException e) {
      throw new TestbedException("cannot write the files of " + node.name(), "", e);
    }
  }

  private void awaitReady(int index) {
    if (!Waiting.until(() -> gate.isReady(index), TestServer.READY_LIMIT)) {
      throw new TestbedException(
          "the API server of " + nodes.get(index).name() + " is not ready",
          "see " + runners.get(index).log("kube-apiserver"));
    }
  }

  private void configure(ObjectNode manifest) {
    try (var client = client(0)) {
      var admin = new AdminApi(client);
      for (NodeRoot node : nodes) {
        ObjectNode json = AdminApi.object("v1", "Node", node.name());
        json.withObject("/metadata")
            .putObject("labels")
            .put("node-role.kubernetes.io/control-plane", "");
        admin.create("/api/v1/nodes", json);
      }
      ObjectNode pod = AdminApi.object("v1", "ConfigMap", "kube-apiserver-pod");
      pod.putObject("data").put("pod.yaml", manifest.toPrettyString());
      admin.create("/api/v1/namespaces/kube-system/configmaps", pod);
    }
  }

  private void startKeyward() {
    try (var admin = client(0)) {
      own.install(kubeconfig(), admin, gate.door(0));
    }
    operators.add(keep(own.operator("operator")));
    for (int i = 0; i < NODES; i++) {
      agents.add(keep(own.agent(nodes.get(i), url(i))));
    }
  }

  private ServerProcess keep(Launch launch) {
    Keeper keeper = Keeper.start(launch);
    open.add(keeper);
    return keeper.process();
  }

  /// One more operator, which waits for the lead. It ends with the cluster.
  public ServerProcess startSecondOperator() {
    ServerProcess second = ServerProcess.start(own.operator("operator-2"));
    open.add(second);
    return second;
  }

  /// How the agent of a node is started that takes the place of another one.
  public Launch agent(NodeRoot node, int index) {
    return own.agent(node, url(index));
  }

  /// Where the agent of a node tells its metrics.
  public URI metrics(NodeRoot node) {
    return own.metrics(node);
  }

  /// A plugin on every node. It ends with the cluster.
  public NodePlugin startPlugin(String name) {
    var plugin = new NodePlugin(keyward, site.directory().resolve("plugins"), name, nodes);
    open.add(plugin);
    return plugin;
  }

  private URI url(int index) {
    return URI.create("https://" + nodes.get(index).address() + ":" + port);
  }

  /// As the admin, through the load balancer, to this node's API server first.
  public ApiClient client(int index) {
    return new ApiClient(gate.door(index), site.pki().clusterCa(), site.pki().admin());
  }

  /// As the admin, to this node's API server and no other.
  public ApiClient directClient(int index) {
    return new ApiClient(url(index), site.pki().clusterCa(), site.pki().admin());
  }

  public ReadyGate gate() {
    return gate;
  }

  public Etcd etcd() {
    return etcd;
  }

  public List<NodeRoot> nodes() {
    return nodes;
  }

  public ServerProcess apiServer(int index) {
    return runners
        .get(index)
        .process("kube-apiserver")
        .orElseThrow(() -> new TestbedException("no API server on node " + index, ""));
  }

  public ServerProcess agent(int index) {
    return agents.get(index);
  }

  public ServerProcess operator() {
    return operators.getFirst();
  }

  /// The admin's.
  public Path kubeconfig() {
    return site.directory().resolve("kubeconfig");
  }

  /// The operator's.
  public Path config() {
    return own.config();
  }

  public Path directory() {
    return site.directory();
  }

  /// Kills every part. The directory stays.
  @Override
  public void close() {
    for (AutoCloseable one : open.reversed()) {
      try {
        one.close();
      } catch (Exception e) {
        talk.accept("not ended: " + e.getMessage());
      }
    }
    etcd.close();
  }
}
