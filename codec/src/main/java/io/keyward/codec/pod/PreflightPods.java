package io.keyward.codec.pod;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.ConfigSecretCodec;
import io.keyward.codec.object.ContentDigest;
import io.keyward.codec.object.KmsEndpoints;
import io.keyward.codec.object.Labels;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.PreflightState.Phase;
import io.keyward.core.model.kms.PreflightState.Run;
import io.keyward.core.preflight.NodeAnswers;
import io.keyward.core.preflight.PreflightCandidate;
import io.keyward.core.sidecar.PluginFiles;
import io.keyward.core.sidecar.Sidecars;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The pods of a preflight: on each control-plane node one, in the network of the node, with the
/// plugin that is tested beside those that run already. The pod has no token: its result is the
/// termination message of its container.
public final class PreflightPods {
  /// The Secret with the files of the plugins.
  public static final String SECRET = "kms-preflight-encryption-config";

  private static final String POD = "kms-preflight-";
  private static final String CHECK = "kms-preflight-check";
  private static final String HASH =
      "encryption.apiserver.operator.openshift.io/kms-preflight-config-hash";
  private static final String OF = "keyward.io/preflight-of";

  private static final int LONGEST_NODE = 200;

  private static final int DIGEST = 10;

  private PreflightPods() {}

  /// What the pods of an API server's preflight bear.
  public static Labels labels(String component) {
    return new Labels(new TreeMap<>(Map.of("app", "openshift-kms-preflight", OF, component)));
  }

  /// The Secret with the configuration of the candidate and of the keys in use.
  public static ObjectNode secret(
      String component, String namespace, PreflightCandidate candidate) {
    ObjectNode secret = ObjectMeta.fresh("v1", "Secret", SECRET);
    label(secret, component).put("namespace", namespace);
    secret.put("type", "Opaque");
    ObjectNode data = secret.putObject("data");
    ConfigSecretCodec.encode(component, candidate.layout())
        .data()
        .forEach((name, value) ->
            data.put(
                name,
                Base64.getEncoder().encodeToString(KmsEndpoints.forPlugins(name, value.reveal()))));
    return secret;
  }

  private static ObjectNode label(ObjectNode object, String component) {
    ObjectNode metadata = object.withObject("/metadata");
    labels(component).values().forEach(metadata.withObject("/labels")::put);
    return metadata;
  }

  /// The pod for one node.
  ///
  /// @param image of Keyward
  /// @param sidecars the plugins of the candidate and of the keys in use
  public static ObjectNode pod(
      String component,
      String namespace,
      String node,
      PreflightCandidate candidate,
      String image,
      Sidecars sidecars) {
    ObjectNode pod = ObjectMeta.fresh("v1", "Pod", POD + suffix(node));
    ObjectNode metadata = label(pod, component).put("namespace", namespace);
    metadata.putObject("annotations").put(HASH, candidate.config().value());
    ObjectNode spec = pod.putObject("spec").put("nodeName", node).put("restartPolicy", "Never");
    // As the API server of the node: its network, and its DNS servers.
    spec.put("hostNetwork", true).put("dnsPolicy", "Default");
    spec.put("automountServiceAccountToken", false).put("enableServiceLinks", false);
    spec.put("priorityClassName", "system-cluster-critical");
    spec.put("terminationGracePeriodSeconds", 5).put("activeDeadlineSeconds", 180);
    spec.putArray("tolerations").addObject().put("operator", "Exists");
    ObjectNode check = spec.putArray("containers").addObject().put("name", CHECK);
    check.put("image", image).put("imagePullPolicy", "IfNotPresent");
    PluginFiles.program("keyward").forEach(check.putArray("command")::add);
    List.of(
            "preflight",
            "--revision=" + PluginFiles.DIRECTORY,
            "--key=" + candidate.key().serial(),
            "--timeout=25s",
            "--result-file=/dev/termination-log")
        .forEach(check.putArray("args")::add);
    PodSidecars.limit(check);
    PodSidecars.apply(pod, check, sidecars, new PodSidecars.Source.OfSecret(SECRET));
    PodSidecars.mountFiles(check);
    return pod;
  }

  /// A name of a pod may be as long as a name of a node.
  private static String suffix(String node) {
    return node.length() <= LONGEST_NODE
        ? node
        : node.substring(0, LONGEST_NODE - DIGEST - 1)
            + "-"
            + ContentDigest.of(node).substring(0, DIGEST);
  }

  /// How far the preflight is; empty where there are no pods.
  ///
  /// @param nodes on which the configuration has to work
  public static Optional<Run> run(Collection<ObjectNode> pods, SortedSet<String> nodes) {
    if (pods.isEmpty()) {
      return Optional.empty();
    }
    var seen = new TreeMap<String, SeenPreflightPod>();
    pods.forEach(pod -> seen.put(SeenPreflightPod.node(pod), new SeenPreflightPod(pod, CHECK)));
    var answers = new TreeMap<String, NodeAnswers.Answer>();
    seen.forEach((node, pod) -> pod.answer().ifPresent(answer -> answers.put(node, answer)));
    List<String> stuck =
        seen.entrySet().stream().flatMap(one -> one.getValue().stuckOn().stream()).toList();
    return Optional.of(
        new Run(
            config(pods, seen.keySet(), nodes),
            Phase.RUNNING,
            pods.stream().flatMap(pod -> ObjectMeta.created(pod).stream()).min(Instant::compareTo),
            new NodeAnswers(nodes, answers).report(),
            stuck.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", stuck))));
  }

  /// Empty, so that the pods are deleted, where they are not all of one configuration, where a node
  /// has none, and where some are being deleted.
  private static Optional<Fingerprint> config(
      Collection<ObjectNode> pods, Set<String> found, SortedSet<String> nodes) {
    var hashes = new TreeSet<String>();
    pods.forEach(pod -> hashes.add(ObjectMeta.annotation(pod, HASH)));
    return hashes.size() == 1
            && hashes.first().length() == 8
            && found.equals(nodes)
            && pods.stream().noneMatch(ObjectMeta::isDeleted)
        ? Optional.of(new Fingerprint(hashes.first()))
        : Optional.empty();
  }
}
