package io.keyward.node.check;

import io.keyward.codec.pod.PodYaml;
import io.keyward.core.rollout.manifest.ConfigPlace;
import io.keyward.core.rollout.node.CredentialDecider;
import io.keyward.core.rollout.node.CredentialDecision;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterAccess;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.ClusterApi;
import io.keyward.node.host.HostKind;
import io.keyward.node.host.KubeadmHost;
import io.keyward.node.setup.NodeSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Checks what the node agent of a kubeadm node depends on: its pod, its credentials, the API
/// server of the node, its permissions, and the files of its revision. Changes nothing.
public final class NodeCheck {
  private static final Set<PosixFilePermission> OWNER_ALONE =
      PosixFilePermissions.fromString("rw-------");

  private final HostKind.Kubeadm place;
  private final ClusterAccess access;
  private final Instant now;
  private final List<CheckResult> results = new ArrayList<>();

  /// A check at this time.
  ///
  /// @param access with the credentials of the node agent
  public NodeCheck(HostKind.Kubeadm place, ClusterAccess access, Instant now) {
    this.place = place;
    this.access = access;
    this.now = now;
  }

  /// Runs all checks. One that fails does not keep the others from running.
  public List<CheckResult> run() {
    agentPod();
    connection();
    configuration();
    return List.copyOf(results);
  }

  private void agentPod() {
    Path manifest = NodeSetup.manifest(place);
    String file = place.onNode(manifest);
    results.add(
        Files.exists(manifest)
            ? CheckResult.ok("node agent", "the kubelet starts it from " + file)
            : CheckResult.failed(
                "node agent",
                file
                    + " does not exist. Run keyward operator install; if it was run, check the pods of"
                    + " the DaemonSet keyward-node-setup"));
  }

  private void connection() {
    Optional<String> server = KubeadmHost.address(place);
    if (server.isEmpty()) {
      results.add(
          CheckResult.failed(
              "API server",
              "the manifest of kube-apiserver cannot be read. Run this on a control-plane node, as"
                  + " root"));
    }
    try (var api = Api.connect(access, server)) {
      credentials(api);
      server.ifPresent(url -> apiServer(api, url));
      permissions(api);
    } catch (ClusterFailure e) {
      results.add(
          CheckResult.failed(
              "credentials", e.getMessage() + ". Check the kubeconfig of this node's kubelet"));
    }
  }

  private void credentials(Api api) {
    results.add(
        api.certificateLife()
            .map(life -> CredentialDecider.decide(life.notBefore(), life.notAfter(), now))
            .map(NodeCheck::result)
            .orElseGet(
                () -> CheckResult.ok("credentials", "they are not a certificate; not checked")));
  }

  private static CheckResult result(CredentialDecision state) {
    return switch (state) {
      case CredentialDecision.Valid(Instant until) ->
          CheckResult.ok("credentials", "the certificate is valid until " + until);
      case CredentialDecision.RenewalOverdue(_, String words) ->
          CheckResult.warning("credentials", "the certificate " + words);
      case CredentialDecision.Unusable(String words) ->
          CheckResult.failed("credentials", "the certificate " + words);
    };
  }

  private void apiServer(Api api, String url) {
    try {
      api.text("/readyz");
      results.add(CheckResult.ok("API server", url + " is ready"));
    } catch (ClusterFailure e) {
      results.add(
          CheckResult.failed(
              "API server", e.getMessage() + ". Read the log of kube-apiserver on this node"));
    }
  }

  private void permissions(Api api) {
    try {
      boolean exists = api.get(ClusterApi.KEYWARD.requestPath()).isPresent();
      results.add(
          exists
              ? CheckResult.ok("permissions", "the node agent can read ClusterEncryption cluster")
              : CheckResult.failed(
                  "permissions",
                  "ClusterEncryption cluster does not exist. Run keyward operator install"));
    } catch (ClusterFailure e) {
      results.add(
          CheckResult.failed(
              "permissions",
              e.getMessage()
                  + ". The operator grants the permission to control-plane nodes: check that it runs"));
    }
  }

  private void configuration() {
    var host = new KubeadmHost(place);
    Path file = place.below(Path.of(ConfigPlace.KUBEADM.file()));
    try {
      results.add(configuration(host, file));
    } catch (IOException | UncheckedIOException e) {
      results.add(
          CheckResult.failed(
              "configuration", "cannot read " + ConfigPlace.KUBEADM.file() + ". Run this as root"));
    }
  }

  private CheckResult configuration(KubeadmHost host, Path file) throws IOException {
    String name = ConfigPlace.KUBEADM.file();
    boolean isNamed =
        host.configFile().map(PodYaml.ConfigFile::file).filter(name::equals).isPresent();
    if (host.revision() == 0) {
      return isNamed
          ? CheckResult.failed(
              "configuration",
              "the manifest of kube-apiserver names "
                  + name
                  + ", which no node agent wrote. On a new node, run keyward node-agent prepare")
          : CheckResult.ok("configuration", "encryption was not rolled out to this node yet");
    }
    if (!host.isIntact()) {
      return CheckResult.failed(
          "configuration",
          name
              + " is not revision "
              + host.revision()
              + " as the node agent wrote it. Restore the file from another control-plane node");
    }
    if (!Files.getPosixFilePermissions(file).equals(OWNER_ALONE)) {
      return CheckResult.failed(
          "configuration", name + " contains keys and must have mode 0600. Run chmod 0600 " + name);
    }
    return isNamed
        ? CheckResult.ok(
            "configuration",
            name + " is revision " + host.revision() + ", and the manifest names it")
        : CheckResult.failed(
            "configuration",
            "the manifest of kube-apiserver does not name "
                + name
                + ". The node agent adds it within seconds: check its log");
  }
}
