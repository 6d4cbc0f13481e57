package io.keyward.testbed;

import static io.keyward.testbed.AdminPodApi.object;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pod.DeploymentRunner;
import io.keyward.testbed.pod.NodeRoot;
import io.keyward.testbed.process.Ports;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The aggregated API server of a managed cluster: sample-apiserver as a Deployment of two pods,
/// reached through every kube-apiserver. It serves `flunders` of `wardle.example.com`.
///
/// Two pods and a third during an update, each on a node of its own: one is always ready, and what
/// one writes another has to read.
final class AggregatedServer implements AutoCloseable {
  static final String NAME = "sample-apiserver";
  static final String NAMESPACE = "wardle";
  static final String PREFIX = "/wardle";
  private static final String GROUP = "wardle.example.com";
  private static final String VERSION = "v1alpha1";

  private final ControlPlaneHome site;
  private final Etcd etcd;
  private final List<NodeRoot> nodes;
  private final AdminPodApi admin;
  private final int port = Ports.free();
  private final List<Runnable> closers = new ArrayList<>();
  private @Nullable DeploymentRunner pods;

  /// Starts nothing yet.
  AggregatedServer(ControlPlaneHome site, Etcd etcd, List<NodeRoot> nodes, ApiClient client) {
    this.site = site;
    this.etcd = etcd;
    this.nodes = nodes;
    this.admin = new AdminPodApi(client);
    closers.add(client::close);
  }

  /// Needs the kubeconfig of the nodes. Returns at once.
  void start(KeyPairFiles serving) {
    admin.create("/api/v1/namespaces", object("v1", "Namespace", NAMESPACE));
    admin.create("/apis/apps/v1/namespaces/" + NAMESPACE + "/deployments", deployment(serving));
    var probes = new TreeMap<String, ApiClient>();
    for (NodeRoot node : nodes) {
      var probe = new ApiClient(url(node), site.pki().clusterCa(), site.pki().admin());
      probes.put(node.address(), probe);
      closers.add(probe::close);
    }
    var runner =
        new DeploymentRunner(
            admin,
            NAMESPACE,
            NAME,
            nodes,
            Map.of(NAME, site.binaries().ensure(ServerBinary.SAMPLE_APISERVER)),
            site.directory().resolve("d"),
            uri -> isReady(probes, uri));
    closers.add(runner::close);
    pods = runner;
    var gate =
        ReadyGate.service(
            nodes.stream().map(this::url).toList(),
            site.pki(),
            uri -> runner.serves(uri.getHost()));
    closers.add(gate::close);
    register(gate.door(0).getPort());
  }

  /// The processes of its pods that are ready and stay.
  List<ServerProcess> serving() {
    DeploymentRunner runner = pods;
    return runner == null ? List.of() : runner.serving();
  }

  private static boolean isReady(Map<String, ApiClient> probes, URI uri) {
    ApiClient probe = probes.get(uri.getHost());
    return probe != null && Readiness.saysYes(probe, uri.getPath());
  }

  private URI url(NodeRoot node) {
    return URI.create("https://" + node.address() + ":" + port);
  }

  static KeyPairFiles serving(ControlPlaneHome site, List<NodeRoot> nodes) {
    var names = new ArrayList<>(List.of("localhost", "api." + NAMESPACE + ".svc"));
    nodes.forEach(node -> names.add(node.address()));
    return site.pki().server(NAME, names);
  }

  /// Every kube-apiserver passes requests on to it.
  void awaitReady(List<URI> servers) {
    for (URI server : servers) {
      URI group = server.resolve("/apis/" + GROUP + "/" + VERSION);
      if (!Waiting.until(
          () -> Readiness.saysYes(group, site.pki().clusterCa(), site.pki().admin()),
          TestServer.READY_LIMIT)) {
        throw new TestbedException(
            "the aggregated API server is not reached through " + server,
            "see the logs below " + site.directory().resolve("d"));
      }
    }
  }

  private ObjectNode deployment(KeyPairFiles serving) {
    ObjectNode json = object("apps/v1", "Deployment", NAME);
    ObjectNode spec = json.putObject("spec").put("replicas", 2);
    spec.putObject("strategy")
        .put("type", "RollingUpdate")
        .putObject("rollingUpdate")
        .put("maxSurge", 1)
        .put("maxUnavailable", 0);
    spec.putObject("selector").putObject("matchLabels").put("app", NAME);
    ObjectNode template = spec.putObject("template");
    template.putObject("metadata").putObject("labels").put("app", NAME);
    ObjectNode pod = template.putObject("spec");
    pod.put("hostNetwork", true).put("terminationGracePeriodSeconds", 30);
    ObjectNode container = pod.putArray("containers").addObject();
    container.put("name", NAME).put("image", NAME);
    container
        .putArray("env")
        .addObject()
        .put("name", "POD_IP")
        .putObject("valueFrom")
        .putObject("fieldRef")
        .put("fieldPath", "status.podIP");
    ArrayNode command = container.putArray("command").add(NAME);
    arguments(serving)
        .forEach(word ->
            command.add(word.replace(site.pki().directory().toString(), ManagedManifest.PKI)));
    container
        .putObject("readinessProbe")
        .putObject("httpGet")
        .put("path", "/readyz")
        .put("port", port)
        .put("scheme", "HTTPS");
    // Nobody is sent to it any more before it ends.
    container.putObject("lifecycle").putObject("preStop").putObject("sleep").put("seconds", 1);
    container
        .putArray("volumeMounts")
        .addObject()
        .put("name", "pki")
        .put("mountPath", ManagedManifest.PKI)
        .put("readOnly", true);
    pod.putArray("volumes")
        .addObject()
        .put("name", "pki")
        .putObject("hostPath")
        .put("path", ManagedManifest.PKI);
    return json;
  }

  private List<String> arguments(KeyPairFiles serving) {
    String kubeconfig = ManagedManifest.PKI + "/" + ManagedManifest.KUBECONFIG;
    var words = new ArrayList<>(ApiServerArguments.storage(etcd));
    words.addAll(
        List.of(
            "--etcd-prefix=" + PREFIX,
            "--bind-address=$(POD_IP)",
            "--secure-port=" + port,
            "--tls-cert-file=" + serving.certificate(),
            "--tls-private-key-file=" + serving.key(),
            "--client-ca-file=" + site.pki().clusterCa(),
            "--kubeconfig=" + kubeconfig,
            "--authentication-kubeconfig=" + kubeconfig,
            "--authorization-kubeconfig=" + kubeconfig));
    return words;
  }

  private void register(int servicePort) {
    ObjectNode service = object("v1", "Service", "api");
    service.putObject("spec").put("type", "ExternalName").put("externalName", "localhost");
    admin.create("/api/v1/namespaces/" + NAMESPACE + "/services", service);
    ObjectNode api = object("apiregistration.k8s.io/v1", "APIService", VERSION + "." + GROUP);
    ObjectNode spec = api.putObject("spec").put("group", GROUP).put("version", VERSION);
    spec.put("groupPriorityMinimum", 1000).put("versionPriority", 15);
    spec.put("caBundle", caBundle());
    spec.putObject("service")
        .put("namespace", NAMESPACE)
        .put("name", "api")
        .put("port", servicePort);
    admin.create("/apis/apiregistration.k8s.io/v1/apiservices", api);
  }

  private String caBundle() {
    try {
      return Base64.getEncoder().encodeToString(Files.readAllBytes(site.pki().clusterCa()));
    } catch (IOException e) {
      throw new TestbedException("cannot read the authority's certificate", "", e);
    }
  }

  @Override
  public void close() {
    closers.reversed().forEach(Runnable::run);
  }
}
