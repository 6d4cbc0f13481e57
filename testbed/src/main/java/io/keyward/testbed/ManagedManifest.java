package io.keyward.testbed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.Pki;
import java.util.List;

/// How the API servers of a managed cluster are started: one manifest for all nodes.
final class ManagedManifest {
  static final String IMAGE = "kube-apiserver";
  static final String PKI = "/etc/kubernetes/pki";

  /// Below [#PKI]; for servers that are clients of the API servers.
  static final String KUBECONFIG = "kubeconfig";

  private ManagedManifest() {}

  static ObjectNode of(Pki pki, Etcd etcd, KeyPairFiles serving, int port) {
    ObjectNode pod = new ObjectMapper().createObjectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata")
        .put("name", "kube-apiserver")
        .put("namespace", "kube-system")
        .putObject("labels")
        .put("apiserver", "true");
    ObjectNode spec = pod.putObject("spec");
    spec.put("hostNetwork", true).put("terminationGracePeriodSeconds", 60);
    ObjectNode container = spec.putArray("containers").addObject();
    container.put("name", "kube-apiserver").put("image", IMAGE);
    // Each node has an address of its own, so that all can have the same port.
    container
        .putArray("env")
        .addObject()
        .put("name", "HOST_IP")
        .putObject("valueFrom")
        .putObject("fieldRef")
        .put("fieldPath", "status.hostIP");
    ArrayNode command = container.putArray("command").add("kube-apiserver");
    for (String word : ApiServerArguments.of(pki, etcd, serving, "$(HOST_IP)", port)) {
      command.add(word.replace(pki.directory().toString(), PKI));
    }
    // A load balancer must see that it leaves before it is gone.
    List.of("--shutdown-delay-duration=1s", "--shutdown-send-retry-after=true")
        .forEach(command::add);
    container
        .putArray("volumeMounts")
        .addObject()
        .put("name", "pki")
        .put("mountPath", PKI)
        .put("readOnly", true);
    spec.putArray("volumes").addObject().put("name", "pki").putObject("hostPath").put("path", PKI);
    return pod;
  }
}
