package io.keyward.cli.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.output.Document;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.core.model.Condition;
import io.keyward.core.model.Resource;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.view.EncryptionVerdict;
import io.keyward.core.view.KeyView;
import io.keyward.core.view.PluginView;
import io.keyward.core.view.SiteView;
import io.keyward.kube.site.StatusView;
import io.keyward.operator.ClusterReader.Readings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What `keyward status` prints for programs.
final class StatusDocument {
  private StatusDocument() {}

  static ObjectNode of(Readings<StatusView> readings) {
    var json = new LinkedHashMap<String, Object>();
    json.put("verdict", json(StatusText.verdict(readings)));
    json.put("apiServers", readings.read().stream().map(StatusDocument::json).toList());
    json.put("unread", Unreadable.json(readings.unread()));
    return Document.of("Status", json);
  }

  private static Map<String, Object> json(EncryptionVerdict verdict) {
    var json = new LinkedHashMap<String, Object>();
    json.put("state", verdict.state().word());
    json.put("message", verdict.words());
    return json;
  }

  private static Map<String, Object> json(StatusView status) {
    SiteView view = status.site();
    var json = new LinkedHashMap<String, Object>();
    json.put("component", view.component());
    json.put("verdict", json(EncryptionVerdict.of(view)));
    json.put("requested", view.wanted());
    PluginReports.writeKey(view).ifPresent(key -> json.put("writeKey", key.serial().value()));
    json.put("keys", view.keys().stream().map(key -> json(key, status)).toList());
    json.put("latestRevision", view.latestRevision());
    json.put("nodes", view.nodes().stream().map(node -> withPlugins(node, view)).toList());
    view.deployment()
        .ifPresent(one -> json.put("pods", one.pods().stream().map(StatusDocument::json).toList()));
    json.put(
        "otherPlugins",
        PluginReports.otherNodes(view).stream()
            .flatMap(node -> plugins(node, view).stream())
            .toList());
    json.put("migrations", status.migrations().stream().map(StatusDocument::json).toList());
    json.put("conditions", view.conditions().stream().map(StatusDocument::json).toList());
    return json;
  }

  private static Map<String, Object> json(KeyView key, StatusView status) {
    var json = new LinkedHashMap<String, Object>();
    json.put("serial", key.serial().value());
    json.put("mode", key.mode());
    json.put("writes", key.writes().stream().map(Resource::canonical).toList());
    json.put("reads", key.reads().stream().map(Resource::canonical).toList());
    Optional.ofNullable(status.created().get(key.serial()))
        .ifPresent(made -> json.put("created", made.toString()));
    json.put("migrated", key.migrated().stream().map(Resource::canonical).toList());
    key.plugin().ifPresent(plugin -> json.put("plugin", json(plugin, key.isDecommissionable())));
    return json;
  }

  private static Map<String, Object> json(PluginView plugin, boolean isDecommissionable) {
    var json = new LinkedHashMap<String, Object>();
    json.put("provider", plugin.provider());
    json.put("remoteKey", plugin.remoteKey());
    json.put("endpoint", plugin.endpoint());
    plugin.image().ifPresent(image -> json.put("image", image));
    json.put("managed", plugin.isManaged());
    json.put("decommissionable", isDecommissionable);
    return json;
  }

  private static Map<String, Object> withPlugins(Revisions.Node node, SiteView view) {
    Map<String, Object> json = json(node);
    json.put("plugins", plugins(node.name(), view));
    return json;
  }

  private static List<Map<String, Object>> plugins(String node, SiteView view) {
    return PluginReports.on(node, view).stream().map(one -> json(one, view)).toList();
  }

  private static Map<String, Object> json(HealthReport one, SiteView view) {
    var json = new LinkedHashMap<String, Object>();
    json.put("node", one.node());
    json.put("key", one.serial().value());
    json.put("status", one.status().name().toLowerCase(Locale.ROOT));
    json.put("fresh", PluginReports.isFresh(one, view));
    if (!PluginReports.isFresh(one, view)) {
      // While reports arrive, this would change with every one of them.
      json.put("lastChecked", one.lastChecked().toString());
    }
    one.statusSince().ifPresent(since -> json.put("since", since.toString()));
    one.kek().ifPresent(kek -> json.put("keyId", kek.value()));
    one.kekSince().ifPresent(since -> json.put("keyIdSince", since.toString()));
    if (!one.detail().isEmpty()) {
      json.put("detail", one.detail());
    }
    return json;
  }

  private static Map<String, Object> json(Revisions.Node node) {
    var json = new LinkedHashMap<String, Object>();
    json.put("name", node.name());
    json.put("currentRevision", node.current());
    json.put("targetRevision", node.target());
    json.put("failedRevision", node.failed());
    node.silence().ifPresent(since -> json.put("silence", since));
    if (!node.failure().isEmpty()) {
      json.put("failure", node.failure());
    }
    json.put("ready", node.ready());
    return json;
  }

  private static Map<String, Object> json(MigrationRecord one) {
    var json = new LinkedHashMap<String, Object>();
    json.put("resource", one.status().resource().canonical());
    json.put("writeKey", one.status().target().writeKey());
    json.put("state", StatusText.state(one));
    if (one.progress().total() > 0) {
      json.put("done", one.progress().done());
      json.put("total", one.progress().total());
      json.put("perSecond", Math.round(one.progress().perSecond()));
      one.progress().secondsLeft().ifPresent(left -> json.put("secondsLeft", left));
    }
    return json;
  }

  private static Map<String, Object> json(Condition one) {
    var json = new LinkedHashMap<String, Object>();
    json.put("type", one.type());
    json.put("status", one.status().word());
    json.put("reason", one.reason());
    json.put("message", one.message());
    json.put("since", one.since().toString());
    return json;
  }
}
