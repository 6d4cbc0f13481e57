package io.keyward.cli.operator;

import io.keyward.cli.output.Table;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.core.event.PlanWords;
import io.keyward.core.model.Condition;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.Resource;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.view.KeyView;
import io.keyward.core.view.SiteView;
import io.keyward.kube.site.StatusView;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What `keyward status` prints, for people and for programs.
final class StatusText {
  private StatusText() {}

  static String table(List<StatusView> views, Instant now) {
    return views.stream().map(view -> table(view, now)).collect(Collectors.joining("\n"));
  }

  private static String table(StatusView status, Instant now) {
    SiteView view = status.site();
    var text = new StringBuilder(view.component() + ": " + view.wanted() + " is requested\n");
    if (!view.keys().isEmpty()) {
      var keys = new Table("KEY", "MODE", "WRITES", "READS", "AGE", "MIGRATED");
      for (KeyView key : view.keys()) {
        keys.row(
            key.serial(),
            key.mode(),
            names(key.writes()),
            names(key.reads()),
            Optional.ofNullable(status.created().get(key.serial()))
                .map(made -> age(made, now))
                .orElse("secret gone"),
            names(key.migrated()));
      }
      text.append(keys.toString().indent(2));
    }
    text.append(instances("NODE", view.nodes()));
    view.deployment().ifPresent(one -> text.append(instances("POD", one.pods())));
    if (!status.migrations().isEmpty()) {
      var migrations = new Table("MIGRATION", "KEY", "STATE", "PROGRESS");
      for (MigrationRecord one : status.migrations()) {
        migrations.row(
            one.status().resource(), one.status().target(), state(one), one.progress().words());
      }
      text.append(migrations.toString().indent(2));
    }
    PlanWords.spoken(view.conditions())
        .forEach(line -> text.append("  ").append(line).append('\n'));
    return text.toString();
  }

  private static String instances(String what, List<Revisions.Node> all) {
    if (all.isEmpty()) {
      return "";
    }
    var table = new Table(what, "REVISION", "TARGET", "READY", "FAILED");
    for (Revisions.Node one : all) {
      table.row(one.name(), one.current(), one.target(), ready(one), failed(one));
    }
    return table.toString().indent(2);
  }

  private static String ready(Revisions.Node node) {
    return node.ready() ? "yes" : "no" + node.silence().map(since -> " (" + since + ")").orElse("");
  }

  private static String failed(Revisions.Node node) {
    if (node.failed() == 0) {
      return "-";
    }
    return "revision " + node.failed() + (node.failure().isEmpty() ? "" : ": " + node.failure());
  }

  private static String names(Collection<Resource> resources) {
    return resources.isEmpty()
        ? "-"
        : resources.stream().map(Resource::canonical).collect(Collectors.joining(","));
  }

  private static String age(Instant made, Instant now) {
    Duration age = Duration.between(made, now);
    if (age.toDays() > 0) {
      return age.toDays() + "d";
    }
    return age.toHours() > 0 ? age.toHours() + "h" : Math.max(0, age.toMinutes()) + "m";
  }

  private static String state(MigrationRecord one) {
    return switch (one.status().state()) {
      case State.Running _ -> "Running";
      case State.Succeeded _ -> "Succeeded";
      case State.Failed _ -> "Failed";
    };
  }

  static List<Map<String, Object>> json(List<StatusView> views) {
    return views.stream().map(StatusText::json).toList();
  }

  private static Map<String, Object> json(StatusView status) {
    SiteView view = status.site();
    var json = new LinkedHashMap<String, Object>();
    json.put("component", view.component());
    json.put("wanted", view.wanted());
    json.put("keys", view.keys().stream().map(key -> json(key, status)).toList());
    json.put("latestRevision", view.latestRevision());
    json.put("nodes", view.nodes().stream().map(StatusText::json).toList());
    view.deployment()
        .ifPresent(one -> json.put("pods", one.pods().stream().map(StatusText::json).toList()));
    json.put("migrations", status.migrations().stream().map(StatusText::json).toList());
    json.put("conditions", view.conditions().stream().map(StatusText::json).toList());
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
    json.put("state", state(one));
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
