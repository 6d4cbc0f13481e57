package io.keyward.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.sidecar.PluginImages;
import io.keyward.kube.component.ClusterApi;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.Workload;
import io.keyward.kube.migrate.Migrator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Reads the configuration file of the operator, and rejects members that it does not know.
final class OperatorConfigReader {
  private static final Set<String> ROOT =
      Set.of("apiServers", "settings", "migrator", "featureGates", "pluginImage", "keywardImages");
  private static final Set<String> SERVER =
      Set.of(
          "component",
          "namespace",
          "operatorResource",
          "workload",
          "deployment",
          "resources",
          "nodes");
  private static final Set<String> SETTINGS =
      Set.of("rotateLocalAfter", "retireKmsAfter", "probeInterval", "reportInterval", "kekSettles");
  private static final Set<String> OPERATOR_RESOURCES =
      Set.of(
          "kubeapiservers",
          "openshiftapiservers",
          "authentications",
          ClusterApi.CLUSTER_ENCRYPTIONS);

  /// Agents may read the Secrets of revisions. Key secrets and credentials are not beside them.
  private static final String REVISIONS = "keyward-revisions";

  private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  private OperatorConfigReader() {}

  static OperatorConfig read(Optional<Path> file) {
    return parse(file.map(OperatorConfigReader::text).orElse(""));
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new ConfigFailure("cannot read " + file, "check that it exists and can be read", e);
    }
  }

  static OperatorConfig parse(String text) {
    try {
      Object loaded =
          new Load(LoadSettings.builder().setCodePointLimit(1_000_000).build())
              .loadFromString(text);
      JsonNode tree = new ObjectMapper().valueToTree(loaded);
      return of(tree.isNull() ? new ObjectMapper().createObjectNode() : tree);
    } catch (YamlEngineException | IllegalArgumentException e) {
      throw wrong("not a configuration: " + e.getMessage());
    }
  }

  private static ConfigFailure wrong(String what) {
    return new ConfigFailure(what, "see docs/guides/operator.md");
  }

  private static void only(JsonNode node, Set<String> known, String where) {
    node.properties()
        .forEach(entry -> {
          if (!known.contains(entry.getKey())) {
            throw wrong("unknown member " + entry.getKey() + " in " + where);
          }
        });
  }

  private static OperatorConfig of(JsonNode root) {
    only(root, ROOT, "the configuration");
    var servers = new ArrayList<Component>();
    for (JsonNode one : root.path("apiServers")) {
      servers.add(component(one));
    }
    // Revisions of two API servers in one namespace would have the same names.
    each(servers, Component::namespace, "namespace");
    each(servers, Component::name, "component");
    each(servers, Component::operatorResource, "operatorResource");
    if (servers.size() > 1 && servers.stream().anyMatch(one -> one.api() == ClusterApi.KEYWARD)) {
      throw wrong(
          "ClusterEncryption holds the state of one API server; several need operatorResource "
              + "kubeapiservers, openshiftapiservers or authentications");
    }
    if (servers.isEmpty()) {
      servers.add(component(new ObjectMapper().createObjectNode()));
    }
    return new OperatorConfig(
        servers,
        settings(root.path("settings")),
        migrator(root.path("migrator").asText("")),
        gates(root.path("featureGates")),
        images(root));
  }

  private static void each(
      List<Component> servers, Function<Component, String> member, String name) {
    if (servers.stream().map(member).distinct().count() < servers.size()) {
      throw wrong("every API server needs its own " + name);
    }
  }

  private static FeatureGates gates(JsonNode node) {
    only(node, Set.of(FeatureGates.KMS_ENCRYPTION_PROVIDER), "featureGates");
    JsonNode kms = node.path(FeatureGates.KMS_ENCRYPTION_PROVIDER);
    if (!kms.isMissingNode() && !kms.isBoolean()) {
      throw wrong(FeatureGates.KMS_ENCRYPTION_PROVIDER + " is true or false");
    }
    return new FeatureGates(kms.asBoolean(FeatureGates.DEFAULT.kmsEncryptionProvider()));
  }

  private static PluginImages images(JsonNode root) {
    var mirrors = new TreeSet<String>();
    root.path("keywardImages").forEach(one -> mirrors.add(one.asText()));
    String own = root.path("pluginImage").asText("");
    return new PluginImages(own.isEmpty() ? Optional.empty() : Optional.of(own), mirrors);
  }

  private static Migrator.Kind migrator(String word) {
    if (word.isEmpty()) {
      return Migrator.Kind.OURS;
    }
    for (Migrator.Kind kind : Migrator.Kind.values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    throw wrong("migrator is keyward, storagemigration.k8s.io or migration.k8s.io");
  }

  private static Component component(JsonNode one) {
    only(one, SERVER, "apiServers");
    String operatorResource = one.path("operatorResource").asText(ClusterApi.CLUSTER_ENCRYPTIONS);
    if (!OPERATOR_RESOURCES.contains(operatorResource)) {
      throw wrong("operatorResource is one of " + new TreeSet<>(OPERATOR_RESOURCES));
    }
    var resources = new TreeSet<Resource>();
    one.path("resources").forEach(name -> resources.add(Resource.parse(name.asText())));
    if (resources.isEmpty()) {
      resources.add(new Resource("", "secrets"));
      resources.add(new Resource("", "configmaps"));
    }
    var nodes = new TreeSet<String>();
    one.path("nodes").forEach(name -> nodes.add(name.asText()));
    String name = one.path("component").asText("kube-apiserver");
    Workload workload = workload(one.path("workload").asText(Workload.RESTART_COMMAND.word()));
    String deployment = one.path("deployment").asText(workload == Workload.DEPLOYMENT ? name : "");
    return new Component(
        name,
        one.path("namespace")
            .asText(
                operatorResource.equals(ClusterApi.CLUSTER_ENCRYPTIONS)
                    ? REVISIONS
                    : "kube-system"),
        operatorResource,
        workload,
        resources,
        nodes,
        deployment.isEmpty() ? Optional.empty() : Optional.of(deployment));
  }

  private static Workload workload(String word) {
    return Stream.of(Workload.values())
        .filter(one -> one.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            wrong(
                "workload is one of " + Stream.of(Workload.values()).map(Workload::word).toList()));
  }

  private static Settings settings(JsonNode node) {
    only(node, SETTINGS, "settings");
    Settings base = Settings.DEFAULT;
    return new Settings(
        time(node, "rotateLocalAfter", base.rotateLocalAfter()),
        time(node, "retireKmsAfter", base.retireKmsAfter()),
        base.keepUnusedKeys(),
        base.preflightHolds(),
        time(node, "probeInterval", base.probeInterval()),
        time(node, "reportInterval", base.reportInterval()),
        time(node, "kekSettles", base.kekSettles()),
        base.releaseBeforeReadsKms());
  }

  private static Duration time(JsonNode node, String member, Duration otherwise) {
    if (!node.has(member)) {
      return otherwise;
    }
    Matcher time = TIME.matcher(node.path(member).asText());
    if (!time.matches()) {
      throw wrong(member + " is not a time, as in 30s or 4m");
    }
    long amount = Long.parseLong(time.group(1));
    return switch (time.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }
}
