package io.keyward.cli.operator;

import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.view.KeyView;
import io.keyward.core.view.SiteView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What node agents reported about the KMS plugins of their nodes.
final class PluginReports {
  private PluginReports() {}

  /// The newest key that protects new data.
  static Optional<KeyView> writeKey(SiteView view) {
    return view.keys().stream().filter(key -> !key.writes().isEmpty()).findFirst();
  }

  /// All reports of a node, those on newer keys first.
  static List<HealthReport> on(String node, SiteView view) {
    return view.reports().stream()
        .filter(one -> one.node().equals(node))
        .sorted(Comparator.comparing(HealthReport::serial).reversed())
        .toList();
  }

  /// On the plugin of the write key, or of the newest key that has a plugin.
  static Optional<HealthReport> ofWriteKey(String node, SiteView view) {
    List<HealthReport> all = on(node, view);
    return writeKey(view)
        .flatMap(key -> all.stream().filter(one -> one.serial().equals(key.serial())).findFirst())
        .or(() -> all.stream().findFirst());
  }

  /// Nodes with a report that are no instances.
  static List<String> otherNodes(SiteView view) {
    List<String> instances = view.nodes().stream().map(Revisions.Node::name).toList();
    return view.reports().stream()
        .map(HealthReport::node)
        .filter(node -> !instances.contains(node))
        .distinct()
        .sorted()
        .toList();
  }

  static boolean isFresh(HealthReport report, SiteView view) {
    return !view.at().isAfter(report.lastChecked().plus(view.reportHolds()));
  }
}
