package io.keyward.kube.install;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.AccountToken;
import io.keyward.core.model.Resource;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.migrate.Migrator;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.KubeconfigFile;
import io.keyward.testbed.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/// A real API server with everything that is installed on a cluster of kubeadm, but for the
/// programs. Requests come from the accounts that are installed, and from users of nodes.
final class KubeadmPlane implements AutoCloseable {
  static final Component COMPONENT =
      new Component(
          "kube-apiserver",
          "keyward-revisions",
          "clusterencryptions",
          Workload.KUBEADM,
          new TreeSet<>(List.of(new Resource("", "secrets"), new Resource("", "configmaps"))),
          new TreeSet<>());

  static final String REVISIONS = "/api/v1/namespaces/keyward-revisions/";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<Api> open = new ArrayList<>();
  private final ControlPlane plane;
  private final Path directory;
  private final Api admin;

  private KubeadmPlane(ControlPlane plane, Path directory, Api admin) {
    this.plane = plane;
    this.directory = directory;
    this.admin = admin;
    open.add(admin);
  }

  KubeadmPlane(ControlPlane plane, Path directory) {
    this(plane, directory, connect(plane));
    new Installer(admin).install(List.of(COMPONENT), Migrator.Kind.OURS);
  }

  /// Without an installation.
  static KubeadmPlane empty(ControlPlane plane, Path directory) {
    return new KubeadmPlane(plane, directory, connect(plane));
  }

  private static Api connect(ControlPlane plane) {
    return Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
  }

  Api admin() {
    return admin;
  }

  /// As the kubelet of a node authenticates.
  Api node(String name) {
    Path file =
        KubeconfigFile.write(
            directory.resolve("kubeconfig-" + name),
            plane.apiServer(0).url(),
            plane.apiServer(0).caCertificate(),
            plane.pki().user("system:node:" + name, Optional.of("system:nodes")));
    return opened(Api.connect(Optional.of(file), Optional.empty()));
  }

  /// As a pod with this ServiceAccount authenticates.
  Api account(String name) {
    ObjectNode answer =
        admin.create(
            "/api/v1/namespaces/keyward-system/serviceaccounts/" + name + "/token",
            AccountToken.request(Duration.ofHours(1)));
    String token = AccountToken.read(answer).orElseThrow().value();
    return opened(admin.as(() -> token));
  }

  private Api opened(Api api) {
    open.add(api);
    return api;
  }

  /// Permissions and policies take a moment to become effective.
  static boolean becomes(BooleanSupplier wanted) {
    return Waiting.until(wanted, PATIENCE);
  }

  /// The status of a patch, whatever it is.
  static Api.Answer patch(Api api, String path, String type, String body) {
    return api.once("PATCH", path, "application/" + type, "application/json", body);
  }

  static int get(Api api, String path) {
    return api.once("GET", path, "application/json", "application/json", "").status();
  }

  @Override
  public void close() {
    open.reversed().forEach(Api::close);
  }
}
