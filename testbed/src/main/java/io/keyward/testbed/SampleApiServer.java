package io.keyward.testbed;

import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.Ports;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// Another API server behind the first one (aggregation), with an encryption configuration of its
/// own. It serves `flunders` of `wardle.example.com`, and stands in for the API servers of
/// OpenShift.
public final class SampleApiServer extends TestServer {
  private static final String GROUP = "wardle.example.com";
  private static final String NAMESPACE = "wardle";
  private static final int CONFLICT = 409;

  private final ControlPlane plane;
  private final ControlPlaneHome site;
  private final Path directory;
  private int port;

  private SampleApiServer(ControlPlane plane, ControlPlaneHome site) {
    super("sample-apiserver");
    this.plane = plane;
    this.site = site;
    this.directory = ControlPlaneHome.createPrivate(site.directory().resolve(name()));
    choosePorts();
  }

  static SampleApiServer create(ControlPlane plane, ControlPlaneHome site) {
    return new SampleApiServer(plane, site);
  }

  /// Where the file exists at a start, the server is started with it.
  public Path encryptionConfigFile() {
    return directory.resolve("encryption-config.yaml");
  }

  /// Tells the control plane to pass requests for its group on to this server.
  public void register() {
    post(
        "/api/v1/namespaces",
        """
        {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"%s"}}\
        """
            .formatted(NAMESPACE));
    post(
        "/api/v1/namespaces/" + NAMESPACE + "/services",
        """
        {"apiVersion":"v1","kind":"Service","metadata":{"name":"api"},
         "spec":{"type":"ExternalName","externalName":"localhost"}}\
        """);
    post(
        "/apis/apiregistration.k8s.io/v1/apiservices",
        """
        {"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService",
         "metadata":{"name":"v1alpha1.%1$s"},
         "spec":{"group":"%1$s","version":"v1alpha1",
          "groupPriorityMinimum":1000,"versionPriority":15,
          "caBundle":"%2$s","service":{"namespace":"%3$s","name":"api","port":%4$d}}}\
        """
            .formatted(GROUP, caBundle(), NAMESPACE, port));
  }

  @Override
  public URI readyEndpoint() {
    return URI.create("https://127.0.0.1:" + port + "/readyz");
  }

  @Override
  public boolean isReady() {
    return Readiness.saysYes(readyEndpoint(), site.pki().clusterCa(), site.pki().admin());
  }

  @Override
  void choosePorts() {
    port = Ports.free();
  }

  @Override
  Launch launch() {
    String kubeconfig = plane.kubeconfig(0).toString();
    KeyPairFiles serving =
        site.pki().server(name(), List.of("localhost", "api." + NAMESPACE + ".svc"));
    List<String> arguments = new ArrayList<>(ApiServerArguments.storage(plane.etcd()));
    arguments.addAll(
        List.of(
            "--bind-address=127.0.0.1",
            "--secure-port=" + port,
            "--tls-cert-file=" + serving.certificate(),
            "--tls-private-key-file=" + serving.key(),
            "--client-ca-file=" + site.pki().clusterCa(),
            "--kubeconfig=" + kubeconfig,
            "--authentication-kubeconfig=" + kubeconfig,
            "--authorization-kubeconfig=" + kubeconfig));
    if (Files.exists(encryptionConfigFile())) {
      arguments.add("--encryption-provider-config=" + encryptionConfigFile());
    }
    return site.launch(name(), ServerBinary.SAMPLE_APISERVER, arguments);
  }

  private void post(String path, String json) {
    Answer answer = plane.apiServer(0).client().post(path, json);
    if (!answer.isOk() && answer.status() != CONFLICT) {
      throw new TestbedException("the API server refused " + path, answer.body());
    }
  }

  private String caBundle() {
    try {
      return Base64.getEncoder().encodeToString(Files.readAllBytes(site.pki().clusterCa()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
