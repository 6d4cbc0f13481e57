package io.keyward.cli.operator;

import io.keyward.cli.output.Printable;
import io.keyward.cli.output.Table;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.core.event.PlanWords;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.view.EncryptionVerdict;
import io.keyward.core.view.KeyView;
import io.keyward.core.view.PluginView;
import io.keyward.core.view.SiteView;
import io.keyward.kube.site.StatusView;
import io.keyward.operator.ClusterReader.Readings;
import io.keyward.operator.ClusterReader.Unread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// What `keyward status` prints for people: a verdict, then a block for each API server.
final class StatusText {
  /// The start of a key_id; `-o json` and `-o yaml` have the whole.
  private static final int KEY_ID = 12;

  private StatusText() {}

  static EncryptionVerdict verdict(Readings<StatusView> readings) {
    return EncryptionVerdict.of(
        readings.read().stream().map(StatusView::site).toList(),
        readings.unread().stream().map(Unread::apiServer).toList());
  }

  static String table(Readings<StatusView> readings, Instant now) {
    return Printable.of(verdict(readings).sentence())
        + "\n"
        + readings.read().stream()
            .map(view -> "\n" + table(view, now))
            .collect(Collectors.joining());
  }

  private static String table(StatusView status, Instant now) {
    SiteView view = status.site();
    var text = new StringBuilder(heading(view));
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
    text.append(plugins(view));
    text.append(instances("NODE", view.nodes(), view));
    view.deployment().ifPresent(one -> text.append(instances("POD", one.pods(), view)));
    text.append(otherPlugins(view));
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

  /// Which plugin serves which key of which KMS, and which KMS no API server needs any more.
  private static String plugins(SiteView view) {
    var table = new Table("KMS KEY", "PROVIDER", "REMOTE KEY", "PLUGIN", "IN USE");
    boolean isEmpty = true;
    for (KeyView key : view.keys()) {
      if (key.plugin().isPresent()) {
        PluginView plugin = key.plugin().orElseThrow();
        table.row(
            key.serial(),
            plugin.provider().isEmpty() ? "unknown" : plugin.provider(),
            plugin.remoteKey().isEmpty() ? "-" : String.join(" ", plugin.remoteKey().values()),
            plugin.isManaged()
                ? plugin.image().orElse("Keyward")
                : "user-managed at " + plugin.endpoint(),
            key.isDecommissionable() ? "no, see KMSDecommissionable" : "yes");
        isEmpty = false;
      }
    }
    return isEmpty ? "" : table.toString().indent(2);
  }

  private static String heading(SiteView view) {
    Optional<KeyView> write = PluginReports.writeKey(view);
    String writes =
        write
            .filter(key -> !key.mode().equals(Mode.IDENTITY.word()))
            .map(key -> "encrypted with key " + key.serial() + " (" + key.mode() + ")")
            .orElse("stored in plaintext");
    return view.component() + ": " + view.wanted() + " is requested; new data is " + writes + "\n";
  }

  /// With the columns of plugins where one reported.
  private static String instances(String what, List<Revisions.Node> all, SiteView view) {
    if (all.isEmpty()) {
      return "";
    }
    boolean plugins = all.stream().anyMatch(one -> !PluginReports.on(one.name(), view).isEmpty());
    var headings = new ArrayList<>(List.of(what, "REVISION", "TARGET", "READY", "FAILED"));
    if (plugins) {
      headings.addAll(4, List.of("KEY ID", "PLUGIN"));
    }
    var table = new Table(headings.toArray(String[]::new));
    for (Revisions.Node one : all) {
      var cells =
          new ArrayList<Object>(
              List.of(one.name(), one.current(), one.target(), ready(one), failed(one)));
      if (plugins) {
        Optional<HealthReport> report = PluginReports.ofWriteKey(one.name(), view);
        cells.addAll(4, List.of(keyId(report), health(report, view)));
      }
      table.row(cells.toArray());
    }
    return table.toString().indent(2);
  }

  /// PluginReports on nodes that run no instance, for example those of a Deployment.
  private static String otherPlugins(SiteView view) {
    List<String> nodes = PluginReports.otherNodes(view);
    if (nodes.isEmpty()) {
      return "";
    }
    var table = new Table("PLUGIN ON", "KEY ID", "PLUGIN");
    for (String node : nodes) {
      Optional<HealthReport> report = PluginReports.ofWriteKey(node, view);
      table.row(node, keyId(report), health(report, view));
    }
    return table.toString().indent(2);
  }

  private static String keyId(Optional<HealthReport> report) {
    return report
        .flatMap(HealthReport::kek)
        .map(kek -> kek.value())
        .map(id -> id.length() > KEY_ID ? id.substring(0, KEY_ID) + "…" : id)
        .orElse("-");
  }

  private static String health(Optional<HealthReport> report, SiteView view) {
    return report
        .map(one ->
            PluginReports.isFresh(one, view)
                ? one.status().name().toLowerCase(Locale.ROOT)
                : "no report since " + one.lastChecked())
        .orElse("no report");
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

  static String state(MigrationRecord one) {
    return switch (one.status().state()) {
      case State.Running _ -> "Running";
      case State.Succeeded _ -> "Succeeded";
      case State.Failed _ -> "Failed";
    };
  }
}
