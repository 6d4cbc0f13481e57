package io.keyward.kube.site;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.core.act.Act;
import io.keyward.core.condition.PluginWords;
import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Problem;
import io.keyward.core.model.Resource;
import io.keyward.core.view.SiteView;
import io.keyward.engine.Outcome;
import io.keyward.engine.SiteSnapshot;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Conflict;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Events;
import io.keyward.kube.component.StatusWriter;
import io.keyward.kube.migrate.Migrations;
import io.keyward.kube.revision.RevisionParts;
import io.keyward.kube.revision.RevisionWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/// The objects of one look, and the ports that apply acts to them.
public final class KubeSnapshot implements SiteSnapshot {
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
      List<ObjectNode> preflightPods,
      List<Problem> unreadable) {}

  KubeSnapshot(SiteContext context, ObservedState state, Seen seen) {
    this.api = context.api();
    this.component = context.component();
    this.clock = context.clock();
    this.state = state;
    this.seen = seen;
    status = new StatusWriter(api, component, seen.operator());
    published = new PublishedConfig(api, component, seen.published());
    migrations = new Migrations(api, component, context.migrator(), seen.migrations());
    keys = new KeySecrets(api, component, clock, seen.secrets(), published, migrations);
    preflights = new Preflights(context, status, seen, state.activity().preflight());
    revisions = new RevisionWriter(api, component, status, seen.parts(), seen.nodes(), state);
  }

  @Override
  public ObservedState state() {
    return state;
  }

  StatusView view() {
    return StatusView.of(SiteView.of(state), seen.secrets(), seen.migrations().values());
  }

  @Override
  public boolean isManaged() {
    return component.status().isManaged(seen.operator());
  }

  @Override
  public Outcome apply(Act act) {
    try {
      carryOut(act);
      return new Outcome.Done();
    } catch (Conflict e) {
      return new Outcome.Conflict(e.object());
    } catch (ClusterFailure e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    }
  }

  private void carryOut(Act act) {
    switch (act) {
      case Act.MintKey mint -> {
        // If all secrets were deleted since, only the status still tells that revisions have a key.
        status.requireUnchanged();
        keys.apply(mint);
      }
      case Act.OnKeys one -> keys.apply(one);
      case Act.PublishLayout(var layout) -> {
        status.requireUnchanged();
        state
            .stored()
            .published()
            .ifPresent(before -> keys.requirePresent(before.keysNotIn(layout)));
        published.publish(layout);
      }
      case Act.OnMigrations one -> migrations.apply(one);
      case Act.OnPreflight one -> preflights.apply(one);
      case Act.OnRevisions one ->
          revisions.apply(one, published.secret(), published::requireUnchanged);
      case Act.DropReports(var orphans) -> status.forget(orphans);
      case Act.SetConditions(var conditions) -> report(conditions);
      case Act.Warn(var reason, var message) ->
          new Events(api, component, clock).warn(reason, message);
      case Act.Announce(var reason, var message) ->
          new Events(api, component, clock).tell(reason, message);
    }
  }

  @Override
  public boolean isReported(List<Condition> conditions) {
    return status.shows(all(conditions), state.conditions())
        && status.showsWriteKey(SiteView.of(state).writeKey())
        && status.showsMigrations(migrations.records());
  }

  private void report(List<Condition> conditions) {
    status.conditions(all(conditions), state.conditions(), SiteView.of(state).writeKey());
    status.migrations(migrations.records());
  }

  private List<Condition> all(List<Condition> conditions) {
    var all = new ArrayList<>(conditions);
    // The same under the name that watchers of user-managed plugins look for.
    conditions.stream()
        .filter(one -> one.type().equals("KMSPluginsDegraded"))
        .map(one -> PluginWords.of(one, state, seen.unreadable()))
        .forEach(all::add);
    return all;
  }
}
