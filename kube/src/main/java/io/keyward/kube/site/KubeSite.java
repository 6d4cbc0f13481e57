package io.keyward.kube.site;

import io.keyward.codec.object.ServerVersion;
import io.keyward.core.model.Settings;
import io.keyward.core.sidecar.PluginImages;
import io.keyward.engine.Site;
import io.keyward.engine.SiteId;
import io.keyward.engine.SiteSnapshot;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Conflict;
import io.keyward.kube.client.NotWatched;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Events;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.StatusWriter;
import io.keyward.kube.migrate.Migrator;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/// One API server of a real cluster, whose instances are nodes with agents, pods of a Deployment,
/// or both.
///
/// A look before a write is live: key secrets, the configuration, revisions, nodes, pods,
/// migrations.
public final class KubeSite implements Site {
  private static final Logger LOG = System.getLogger(KubeSite.class.getName());

  private final SiteContext context;
  private final SiteObserver observer;
  private final Supplier<Optional<Reads>> caches;

  /// The last complaint; none yet, so that the complaint of an earlier operator is removed.
  private Optional<Optional<String>> complained = Optional.empty();

  private String warned = "";

  /// Whether a look may create what it misses.
  public enum Access {
    ACTS,
    READS_ONLY
  }

  /// Without caches: every look is live.
  public KubeSite(
      Api api,
      Component component,
      Settings settings,
      InstantSource clock,
      Migrator migrator,
      FeatureGates gates,
      Access access) {
    this(api, component, settings, clock, migrator, gates, PluginImages.NONE, access);
  }

  /// The same with images for the plugins that Keyward runs.
  public KubeSite(
      Api api,
      Component component,
      Settings settings,
      InstantSource clock,
      Migrator migrator,
      FeatureGates gates,
      PluginImages images,
      Access access) {
    this(
        new SiteContext(api, component, settings, clock, migrator, gates, images, access),
        Optional::empty);
  }

  private KubeSite(SiteContext context, Supplier<Optional<Reads>> caches) {
    this.context = context;
    this.observer = new SiteObserver(context);
    this.caches = caches;
  }

  /// The same site with caches, which spare an API server at rest nearly all requests.
  public KubeSite withCaches(Watches watches) {
    return new KubeSite(context, watches::objects);
  }

  @Override
  public SiteId id() {
    return context.component().site();
  }

  /// What there is, for people. Writes nothing where the access forbids it.
  public StatusView view() {
    return live().view();
  }

  /// The condition that reports why there is no turn. Written only where it changes. Where it
  /// cannot be written, for example because that very permission is missing, an event reports it.
  @Override
  public void complain(Optional<String> problem) {
    warned = problem.isEmpty() ? "" : warned;
    if (!complained.equals(Optional.of(problem))) {
      try {
        new StatusWriter(context.api(), context.component(), Api.JSON.createObjectNode())
            .complaint(problem, context.clock().instant());
        complained = Optional.of(problem);
      } catch (ClusterFailure | Conflict e) {
        // Perhaps only the response was lost, so what is written is not known.
        complained = Optional.empty();
        boolean isSilent = e instanceof ClusterFailure failure && failure.status() == 0;
        problem.filter(words -> !isSilent && !words.equals(warned)).ifPresent(this::warn);
        throw e;
      }
    }
  }

  private void warn(String words) {
    new Events(context.api(), context.component(), context.clock())
        .warn("EncryptionControllerDegraded", words);
    warned = words;
  }

  @Override
  public SiteSnapshot observe() {
    return live();
  }

  @Override
  public Optional<SiteSnapshot> glance() {
    try {
      return caches.get().map(observer::look);
    } catch (NotWatched | ClusterFailure e) {
      LOG.log(Level.DEBUG, "{0}: {1}", id(), e.getMessage());
      return Optional.empty();
    }
  }

  private KubeSnapshot live() {
    context
        .api()
        .get("/version")
        .flatMap(ServerVersion::problem)
        .ifPresent(problem -> {
          throw new ClusterFailure(problem);
        });
    return observer.live();
  }
}
