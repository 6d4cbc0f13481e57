package io.keyward.operator;

import io.keyward.codec.migration.MigrationProgress;
import io.keyward.engine.Engine;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.migrate.Migrator;
import io.keyward.kube.site.KubeSite;
import io.keyward.kube.site.SiteChanges;
import io.keyward.kube.site.Watches;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The API servers of the cluster that the configuration names. Watches run before this process is
/// leader, so that the caches are filled when it becomes leader.
public final class ClusterSites implements SiteSource, SiteChanges {
  private final Api api;
  private final OperatorConfig config;
  private final InstantSource clock;
  private final Migrator migrator;
  private final Watches watches;
  private final AtomicReference<@Nullable Engine> leading = new AtomicReference<>();

  public ClusterSites(Api api, OperatorConfig config, InstantSource clock) {
    this.api = api;
    this.config = config;
    this.clock = clock;
    this.migrator = Migrator.of(config.migrator(), api, config.home(), clock, this::changed);
    this.watches = new Watches(api, config.apiServers(), config.migrator(), this);
  }

  @Override
  public void start(Engine engine) {
    leading.set(engine);
    config.apiServers().forEach(one -> engine.add(site(one).withCaches(watches)));
  }

  private KubeSite site(Component one) {
    return new KubeSite(
        api,
        one,
        config.settings(),
        clock,
        migrator,
        config.gates(),
        config.images(),
        KubeSite.Access.ACTS);
  }

  @Override
  public void stop() {
    leading.set(null);
    migrator.rest();
  }

  @Override
  public Map<Migrator.Work, MigrationProgress> migrations() {
    return migrator.running();
  }

  @Override
  public void changed(Component component) {
    Engine engine = leading.get();
    if (engine != null) {
      engine.wake(component.site());
    }
  }

  @Override
  public void requested(Component component) {
    Engine engine = leading.get();
    if (engine != null) {
      engine.wakeToLook(component.site());
    }
  }

  @Override
  public void close() {
    watches.close();
    migrator.close();
  }
}
