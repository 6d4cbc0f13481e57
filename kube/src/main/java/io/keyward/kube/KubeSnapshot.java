package io.keyward.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.act.Act;
import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Problem;
import io.keyward.core.model.Resource;
import io.keyward.operator.SiteSnapshot;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/// The objects of one look, and the ports that apply acts to them.
final class KubeSnapshot implements SiteSnapshot {
  private final Api api;
  private final Component component;
  private final InstantSource clock;
  private final ObservedState state;
  private final Seen seen;
  private final StatusWriter status;
  private final PublishedConfig published;
  private final Migrations migrations;
  private final KeySecrets keys;
  private final Preflights preflights;
  private final RevisionWriter revisions;

  record Seen(
      ObjectNode operator,
      Map<String, ObjectNode> secrets,
      Optional<ObjectNode> published,
      RevisionParts parts,
      SortedSet<String> nodes,
      SortedMap<Resource, MigrationRecord> migrations,
      Optional<ObjectNode> preflight,
      List<Problem> unreadable) {}

  KubeSnapshot(
      Api api,
      Component component,
      InstantSource clock,
      ObservedState state,
      Seen seen,
      Migrator migrator) {
    this.api = api;
    this.component = component;
    this.clock = clock;
    this.state = state;
    this.seen = seen;
    status = new StatusWriter(api, component, seen.operator());
    published = new PublishedConfig(api, component, seen.published());
    migrations = new Migrations(api, component, migrator, seen.migrations());
    keys = new KeySecrets(api, component, clock, seen.secrets(), published, migrations);
    preflights = new Preflights(api, component, clock, status, state.wanted(), seen.preflight());
    revisions = new RevisionWriter(api, component, status, seen.parts(), seen.nodes(), state);
  }

  @Override
  public ObservedState state() {
    return state;
  }

  SiteView view() {
    return SiteView.of(state, seen.secrets(), seen.migrations().values());
  }

  @Override
  public boolean isManaged() {
    return switch (seen.operator().at("/spec/managementState").asText("")) {
      case "Unmanaged", "Removed" -> false;
      default -> true;
    };
  }

  @Override
  public void apply(Act act) {
    switch (act) {
      case Act.OnKeys one -> keys.apply(one);
      case Act.PublishLayout(var layout) -> published.publish(layout);
      case Act.OnMigrations one -> migrations.apply(one);
      case Act.OnPreflight one -> preflights.apply(one);
      case Act.OnRevisions one -> revisions.apply(one, published.secret());
      case Act.DropReports(var orphans) -> status.forget(orphans);
      case Act.SetConditions(var conditions) -> report(conditions);
      case Act.Announce(var reason, var message) ->
          new Events(api, component, clock).tell(reason, message);
    }
  }

  private void report(List<Condition> conditions) {
    var all = new ArrayList<>(conditions);
    // The same under the name that watchers of user-managed plugins look for.
    conditions.stream()
        .filter(one -> one.type().equals("KMSPluginsDegraded"))
        .map(one -> PluginWords.of(one, state, seen.unreadable()))
        .forEach(all::add);
    status.conditions(all, state.conditions());
    status.migrations(migrations.records());
  }
}
