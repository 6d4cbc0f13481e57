package io.keyward.testbed;

import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.process.Launch;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The kube-storage-version-migrator, which OpenShift ships: it carries out the migrations of
/// `migration.k8s.io/v1alpha1`. Its custom resource must be there before it starts.
public final class StorageVersionMigrator extends TestServer {
  private final ControlPlaneHome site;
  private final ApiServer apiServer;
  private final KeyPairFiles user;

  StorageVersionMigrator(ControlPlaneHome site, ApiServer apiServer, KeyPairFiles user) {
    super("storage-version-migrator");
    this.site = site;
    this.apiServer = apiServer;
    this.user = user;
  }

  /// It knows no other port. Where somebody has it already, it works without being asked there.
  @Override
  public URI readyEndpoint() {
    return URI.create("http://127.0.0.1:2112/healthz");
  }

  @Override
  public boolean isReady() {
    try (var client = new ApiClient(readyEndpoint(), Optional.empty(), Map.of())) {
      return Readiness.saysYes(client, readyEndpoint().getPath());
    }
  }

  @Override
  void choosePorts() {}

  @Override
  Launch launch() {
    Path directory = ControlPlaneHome.createPrivate(site.directory().resolve(name()));
    Path kubeconfig =
        KubeconfigFile.write(
            directory.resolve("kubeconfig"), apiServer.url(), site.pki().clusterCa(), user);
    return site.launch(
        name(),
        ServerBinary.STORAGE_VERSION_MIGRATOR,
        List.of(
            "--kubeconfig=" + kubeconfig,
            // Five requests a second, its own choice, are for clusters that have days.
            "--kube-api-qps=500",
            "--kube-api-burst=500",
            "--v=2"));
  }
}
