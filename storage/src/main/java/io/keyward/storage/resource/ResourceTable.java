package io.keyward.storage.resource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which resource the first segments of a key stand for. Kubernetes has no rule here, only history.
final class ResourceTable {
  /// The resource, and how many segments its name took.
  record Found(GroupResource resource, int segments) {}

  private static final Set<String> INTERNAL = Set.of("masterleases", "peerserverleases", "ranges");

  /// Two segments, or one with an unexpected name.
  private static final Map<String, String> SPECIAL =
      Map.of(
          "controllers", "replicationcontrollers",
          "services/specs", "services",
          "services/endpoints", "endpoints",
          "minions", "nodes",
          "ingress", "ingresses.networking.k8s.io");

  private static final Map<String, String> OPENSHIFT =
      Map.of(
          "oauth/accesstokens", "oauthaccesstokens.oauth.openshift.io",
          "oauth/authorizetokens", "oauthauthorizetokens.oauth.openshift.io",
          "oauth/clients", "oauthclients.oauth.openshift.io",
          "oauth/clientauthorizations", "oauthclientauthorizations.oauth.openshift.io",
          "routes", "routes.route.openshift.io",
          "useridentities", "identities.user.openshift.io");

  private static final Map<String, String> GROUPS = new HashMap<>();
  private static final Map<String, String> OPENSHIFT_GROUPS = new HashMap<>();

  static {
    group("apps", "daemonsets deployments statefulsets replicasets controllerrevisions");
    group("autoscaling", "horizontalpodautoscalers");
    group("batch", "jobs cronjobs");
    group(
        "certificates.k8s.io",
        "certificatesigningrequests clustertrustbundles podcertificaterequests");
    group("coordination.k8s.io", "leases leasecandidates");
    group("discovery.k8s.io", "endpointslices");
    group("networking.k8s.io", "ingressclasses networkpolicies ipaddresses servicecidrs");
    group("policy", "poddisruptionbudgets");
    group("storagemigration.k8s.io", "storageversionmigrations");
    group("flowcontrol.apiserver.k8s.io", "flowschemas prioritylevelconfigurations");
    group(
        "storage.k8s.io",
        "volumeattachments volumeattributesclasses storageclasses csistoragecapacities csinodes"
            + " csidrivers");
    group("rbac.authorization.k8s.io", "roles clusterroles rolebindings clusterrolebindings");
    group(
        "admissionregistration.k8s.io",
        "validatingwebhookconfigurations mutatingwebhookconfigurations"
            + " validatingadmissionpolicies validatingadmissionpolicybindings"
            + " mutatingadmissionpolicies mutatingadmissionpolicybindings");
    group("scheduling.k8s.io", "priorityclasses workloads podgroups");
    group("node.k8s.io", "runtimeclasses");
    group(
        "resource.k8s.io",
        "deviceclasses devicetaintrules resourceclaims resourceclaimtemplates resourceslices"
            + " resourcepoolstatusrequests");
    group("internal.apiserver.k8s.io", "storageversions");
    openshift("build.openshift.io", "builds buildconfigs");
    openshift("apps.openshift.io", "deploymentconfigs");
    openshift("image.openshift.io", "images imagestreams");
    openshift("template.openshift.io", "templates templateinstances brokertemplateinstances");
    openshift("user.openshift.io", "users groups");
    openshift("security.openshift.io", "rangeallocations");
  }

  private ResourceTable() {}

  private static void group(String group, String resources) {
    for (String resource : resources.split(" ", -1)) {
      GROUPS.put(resource, group);
    }
  }

  private static void openshift(String group, String resources) {
    for (String resource : resources.split(" ", -1)) {
      OPENSHIFT_GROUPS.put(resource, group);
    }
  }

  static boolean isInternal(String first) {
    return INTERNAL.contains(first);
  }

  static Found find(String prefix, List<String> segments) {
    String first = segments.getFirst();
    String second = segments.size() > 1 ? segments.get(1) : "";
    if (prefix.equals("/openshift.io/")) {
      return special(OPENSHIFT, first, second, OPENSHIFT_GROUPS);
    }
    // A dot makes it an API group; custom resources, and those that copy them.
    return first.contains(".")
        ? new Found(new GroupResource(second, first), 2)
        : special(SPECIAL, first, second, GROUPS);
  }

  private static Found special(
      Map<String, String> table, String first, String second, Map<String, String> groups) {
    String both = table.getOrDefault(first + "/" + second, "");
    if (!both.isEmpty()) {
      return new Found(GroupResource.parse(both), 2);
    }
    String one = table.getOrDefault(first, "");
    return new Found(
        one.isEmpty()
            ? new GroupResource(first, groups.getOrDefault(first, ""))
            : GroupResource.parse(one),
        1);
  }
}
