package io.keyward.testbed.kubeadm;

import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.Ports;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A cluster that kubeadm made: etcd, API server, controller manager and scheduler are static pods
/// of kubelet on every node. Nothing of it is in the network of this machine; API servers are
/// reached through ports on loopback.
public final class KubeadmCluster implements AutoCloseable {
  public static final int MOST_NODES = 3;

  public static final List<ServerBinary> PROGRAMS =
      List.of(
          ServerBinary.ETCD,
          ServerBinary.ETCDCTL,
          ServerBinary.KUBE_APISERVER,
          ServerBinary.KUBE_CONTROLLER_MANAGER,
          ServerBinary.KUBE_SCHEDULER,
          ServerBinary.KUBE_PROXY,
          ServerBinary.KUBELET,
          ServerBinary.KUBEADM,
          ServerBinary.KUBECTL);

  private static final Duration READY = Duration.ofMinutes(3);
  private static final Pattern CA_HASH =
      Pattern.compile("--discovery-token-ca-cert-hash (sha256:[0-9a-f]{64})");

  private final String id =
      "kw" + HexFormat.of().toHexDigits((short) ThreadLocalRandom.current().nextInt());
  private final Path home;
  private final Path files;
  private final ServerBinaries binaries;
  private final Consumer<String> talk;
  private final ClusterGuard guard;
  private final List<KubeadmNode> nodes = new ArrayList<>();
  private final List<ServerProcess> helpers = new ArrayList<>();
  private String caHash = "";
  private Optional<ExternalEtcd> external = Optional.empty();

  private KubeadmCluster(Path directory, ServerBinaries binaries, Consumer<String> talk) {
    ContainerHost.require();
    this.home = directory.toAbsolutePath().normalize();
    this.files = home.resolve("files");
    this.binaries = binaries;
    this.talk = talk;
    NodeFiles.writeTo(files);
    this.guard = ClusterGuard.start(files.resolve("guard.sh"), id, this.home);
  }

  /// Starts a cluster, and removes it again if that fails.
  ///
  /// @param directory does not exist, or is empty; it is deleted with the cluster
  /// @param count 1 to 3 nodes, all of which are control-plane nodes
  public static KubeadmCluster start(
      Path directory, int count, ServerBinaries binaries, Consumer<String> talk) {
    if (count < 1 || count > MOST_NODES) {
      throw new IllegalArgumentException("a cluster has 1 to 3 nodes, not " + count);
    }
    return started(new KubeadmCluster(directory, binaries, talk), count);
  }

  /// The same with one node and an etcd that kubeadm does not manage.
  public static KubeadmCluster startWithExternalEtcd(
      Path directory, ServerBinaries binaries, Consumer<String> talk) {
    var cluster = new KubeadmCluster(directory, binaries, talk);
    cluster.external = Optional.of(new ExternalEtcd(cluster.home));
    return started(cluster, 1);
  }

  private static KubeadmCluster started(KubeadmCluster cluster, int count) {
    boolean isUp = false;
    try {
      cluster.up(count);
      isUp = true;
      return cluster;
    } finally {
      if (!isUp) {
        cluster.close();
      }
    }
  }

  private void up(int count) {
    talk.accept("creating cluster " + id);
    network();
    KubeadmNode first = boot(0);
    talk.accept("running kubeadm init on node0");
    caHash = init(first);
    reach(first);
    forward("kubeconfig", "10.213.0.1");
    for (int i = 1; i < count; i++) {
      join(boot(i));
    }
    awaitReady();
  }

  /// Boots a machine with the images of the cluster, and nothing else on its disk. It is not a node
  /// before it joins.
  ///
  /// @param index 0 to 2, of a machine that does not run
  public KubeadmNode boot(int index) {
    talk.accept("booting node" + index);
    Path images = NodeImages.ensure(binaries, files);
    KubeadmNode node = KubeadmNode.boot(id, home, index, programs());
    node.run("ctr", "-n", "k8s.io", "images", "import", images.toString());
    return node;
  }

  /// Makes a machine a control-plane node with `kubeadm join`.
  public void join(KubeadmNode node) {
    talk.accept("running kubeadm join on " + node.name());
    node.write("/etc/kubernetes/join.yaml", KubeadmConfig.join(node, caHash));
    node.run("kubeadm", "join", "--config", "/etc/kubernetes/join.yaml");
    reach(node);
  }

  /// Ends a machine for good, with its disk. The cluster still lists it as a node and as a member
  /// of etcd.
  public void discard(KubeadmNode node) {
    node.crash();
    nodes.remove(node);
    node.deleteDisk();
  }

  /// A machine that replaces another one has its address, and with it its port.
  private void reach(KubeadmNode node) {
    nodes.add(node);
    if (Files.notExists(kubeconfigOf(node))) {
      forward(node.name(), node.address());
    }
  }

  private Path kubeconfigOf(KubeadmNode node) {
    return home.resolve("kubeconfig-" + node.name());
  }

  private String init(KubeadmNode node) {
    external.ifPresent(etcd -> etcd.install(node));
    node.write(
        "/etc/kubernetes/init.yaml",
        KubeadmConfig.init(
            node, external.map(_ -> ExternalEtcd.configuration()).orElse("{local: {}}")));
    String printed =
        node.run(
            "kubeadm",
            "init",
            "--config",
            "/etc/kubernetes/init.yaml",
            "--upload-certs",
            "--ignore-preflight-errors=SystemVerification");
    Matcher found = CA_HASH.matcher(printed.replace("\\\n", " ").replaceAll("\\s+", " "));
    if (!found.find()) {
      throw new TestbedException("kubeadm init printed no hash of its CA", "see " + home);
    }
    return found.group(1);
  }

  /// One directory with the programs that nodes have on their PATH.
  private Path programs() {
    try {
      Path directory = Files.createDirectories(home.resolve("programs"));
      for (ServerBinary program :
          List.of(ServerBinary.KUBELET, ServerBinary.KUBEADM, ServerBinary.KUBECTL)) {
        Path link = directory.resolve(program.programName());
        if (Files.notExists(link)) {
          Files.createSymbolicLink(link, binaries.ensure(program));
        }
      }
      return directory;
    } catch (IOException e) {
      throw new TestbedException("cannot write to " + home, "choose another directory", e);
    }
  }

  /// A bridge in a namespace of its own, and the load balancer on it.
  private void network() {
    String net = id + "-net";
    Commands.must("creating a network", List.of("ip", "netns", "add", net));
    for (String words :
        List.of(
            "link set lo up",
            "link add br0 type bridge",
            "addr add 10.213.0.1/24 dev br0",
            "link set br0 up")) {
      var command = new ArrayList<>(List.of("ip", "-n", net));
      command.addAll(List.of(words.split(" ", -1)));
      Commands.must("creating a bridge", command);
    }
    helper(
        "haproxy",
        List.of(
            "ip", "netns", "exec", net, "haproxy", "-f", files.resolve("haproxy.cfg") + "", "-db"));
    external.ifPresent(
        etcd -> helper("external-etcd", etcd.command(net, binaries.ensure(ServerBinary.ETCD))));
  }

  /// Makes a port on loopback lead to an API server, and writes a kubeconfig for it. A unix socket
  /// connects the two networks.
  private void forward(String name, String address) {
    int port = Ports.free();
    Path socket = home.resolve(name + ".sock");
    helper(
        name + "-inner",
        List.of(
            "ip",
            "netns",
            "exec",
            id + "-net",
            "socat",
            "UNIX-LISTEN:" + socket + ",fork",
            "TCP:" + address + ":6443"));
    helper(
        name + "-outer",
        List.of(
            "socat",
            "TCP-LISTEN:" + port + ",bind=127.0.0.1,reuseaddr,fork",
            "UNIX-CONNECT:" + socket));
    String config =
        nodes
            .getFirst()
            .run("cat", "/etc/kubernetes/admin.conf")
            .replace(endpoint(), "https://127.0.0.1:" + port);
    Path file = home.resolve(name.equals("kubeconfig") ? name : "kubeconfig-" + name);
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, config);
    } catch (IOException e) {
      throw new TestbedException("cannot write " + file, "choose another directory", e);
    }
  }

  /// Makes a port on the loopback of a node lead to one of this machine.
  public void expose(KubeadmNode node, int portOfNode, int port) {
    String name = node.name() + "-" + portOfNode;
    Path socket = home.resolve(name + ".sock");
    helper(
        name + "-outer",
        List.of("socat", "UNIX-LISTEN:" + socket + ",fork", "TCP:127.0.0.1:" + port));
    helper(
        name + "-inner",
        List.of(
            "ip",
            "netns",
            "exec",
            id + "-" + node.index(),
            "socat",
            "TCP-LISTEN:" + portOfNode + ",bind=127.0.0.1,reuseaddr,fork",
            "UNIX-CONNECT:" + socket));
  }

  private void helper(String name, List<String> command) {
    helpers.add(
        ServerProcess.start(
            new Launch(
                name, command, Map.of(), home.resolve(name + ".log"), Launch.Lifetime.WITH_JVM)));
  }

  private void awaitReady() {
    boolean ready =
        Waiting.until(
            () ->
                nodes.stream()
                    .allMatch(node ->
                        nodes
                            .getFirst()
                            .succeeds(
                                "kubectl",
                                "wait",
                                "--for=condition=Ready",
                                "--timeout=1s",
                                "node/" + node.name())),
            READY);
    if (!ready) {
      throw new TestbedException(
          "not all nodes become ready", "see " + home, nodes.getLast().kubeletLog());
    }
  }

  /// The admin's, through the load balancer.
  public Path kubeconfig() {
    return home.resolve("kubeconfig");
  }

  /// Where the API servers answer, through the load balancer.
  public URI address() {
    return address(kubeconfig());
  }

  /// Where the API server of one node answers.
  public URI address(int node) {
    return address(kubeconfig(node));
  }

  /// The load balancer as nodes and pods reach it: the `controlPlaneEndpoint` of kubeadm.
  public String endpoint() {
    return "https://" + KubeadmConfig.ENDPOINT + ":6443";
  }

  private static URI address(Path kubeconfig) {
    try {
      Matcher found =
          Pattern.compile("server: (https://127\\.0\\.0\\.1:[0-9]+)")
              .matcher(Files.readString(kubeconfig));
      if (found.find()) {
        return URI.create(found.group(1));
      }
      throw new IllegalStateException("a kubeconfig without an address");
    } catch (IOException e) {
      throw new TestbedException("cannot read " + kubeconfig, "check its owner and mode", e);
    }
  }

  /// The cluster's CA and the admin's certificate and key as files, for programs that read no
  /// kubeconfig: `ca.crt`, `admin.crt` and `admin.key` in the directory.
  public void writeCredentials(Path directory) {
    try {
      String config = Files.readString(kubeconfig());
      write(directory.resolve("ca.crt"), config, "certificate-authority-data");
      write(directory.resolve("admin.crt"), config, "client-certificate-data");
      // kubeadm writes PKCS#1, which the JDK does not read.
      Path pkcs1 = directory.resolve("admin.pkcs1");
      write(pkcs1, config, "client-key-data");
      String key = directory.resolve("admin.key").toString();
      Commands.must(
          "converting a key",
          List.of("openssl", "pkcs8", "-topk8", "-nocrypt", "-in", pkcs1 + "", "-out", key));
      Files.delete(pkcs1);
    } catch (IOException e) {
      throw new TestbedException("cannot write to " + directory, "choose another directory", e);
    }
  }

  private static void write(Path file, String kubeconfig, String member) throws IOException {
    Matcher found = Pattern.compile(member + ": (\\S+)").matcher(kubeconfig);
    if (!found.find()) {
      throw new IllegalStateException("a kubeconfig without " + member);
    }
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(file, Base64.getDecoder().decode(found.group(1)));
  }

  /// The admin's, for the API server of one node.
  public Path kubeconfig(int node) {
    return kubeconfigOf(nodes.get(node));
  }

  public List<KubeadmNode> nodes() {
    return List.copyOf(nodes);
  }

  /// What kubectl printed, as the admin on this machine.
  public String kubectl(String... arguments) {
    var command =
        new ArrayList<>(
            List.of(
                binaries.ensure(ServerBinary.KUBECTL).toString(),
                "--kubeconfig",
                kubeconfig().toString()));
    command.addAll(List.of(arguments));
    return Commands.must("kubectl " + arguments[0], command);
  }

  @Override
  public void close() {
    helpers.forEach(ServerProcess::kill);
    nodes.forEach(KubeadmNode::crash);
    guard.close();
  }
}
