package io.keyward.testbed;

import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.Ports;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/// The kube-controller-manager with the few controllers that a cluster without nodes needs, among
/// them the in-tree storage migration. Each controller acts under its own service account, as in
/// production, so that missing rights show.
public final class ControllerManager extends TestServer {
  private static final String CONTROLLERS =
      String.join(
          ",",
          "namespace-controller",
          "garbage-collector-controller",
          "storage-version-migrator-controller");

  private final ControlPlaneHome site;
  private final ApiServer apiServer;
  private int port;

  ControllerManager(ControlPlaneHome site, ApiServer apiServer) {
    super("kube-controller-manager");
    this.site = site;
    this.apiServer = apiServer;
    choosePorts();
  }

  @Override
  public URI readyEndpoint() {
    return URI.create("https://127.0.0.1:" + port + "/healthz");
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
    Path directory = ControlPlaneHome.createPrivate(site.directory().resolve(name()));
    Path kubeconfig =
        KubeconfigFile.write(
            directory.resolve("kubeconfig"),
            apiServer.url(),
            site.pki().clusterCa(),
            site.pki().controllerManager());
    KeyPairFiles serving = site.pki().server(name(), List.of("localhost"));
    return site.launch(
        name(),
        ServerBinary.KUBE_CONTROLLER_MANAGER,
        List.of(
            "--kubeconfig=" + kubeconfig,
            "--controllers=" + CONTROLLERS,
            "--use-service-account-credentials=true",
            "--leader-elect=false",
            "--feature-gates=StorageVersionMigrator=true",
            "--bind-address=127.0.0.1",
            "--secure-port=" + port,
            "--tls-cert-file=" + serving.certificate(),
            "--tls-private-key-file=" + serving.key()));
  }
}
