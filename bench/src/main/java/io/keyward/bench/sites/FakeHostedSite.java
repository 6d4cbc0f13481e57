package io.keyward.bench.sites;

import io.keyward.core.act.Act;
import io.keyward.core.model.Activity;
import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.rollout.Rollout;
import io.keyward.engine.Outcome;
import io.keyward.engine.Site;
import io.keyward.engine.SiteId;
import io.keyward.engine.SiteSnapshot;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.Reads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/// A fake of a hosted control plane: one ConfigMap of a real API server stands for all its objects.
/// A live look reads it, a glance takes it from the cache.
final class FakeHostedSite implements Site, SiteSnapshot {
  private final SiteId id;
  private final String path;
  private final Api api;
  private final Supplier<Optional<Reads>> cache;
  private final Duration work;

  /// @param work how long each turn takes, all of which change something; zero for a site at rest
  FakeHostedSite(
      String name, String path, Api api, Supplier<Optional<Reads>> cache, Duration work) {
    this.id = new SiteId(name, "kube-apiserver");
    this.path = path;
    this.api = api;
    this.cache = cache;
    this.work = work;
  }

  @Override
  public SiteId id() {
    return id;
  }

  @Override
  public SiteSnapshot observe() {
    var _ = api.get(path).orElseThrow();
    try {
      Thread.sleep(work);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    return this;
  }

  @Override
  public Optional<SiteSnapshot> glance() {
    return work.isZero()
        ? cache.get().flatMap(reads -> reads.get(path)).map(_ -> this)
        : Optional.empty();
  }

  @Override
  public ObservedState state() {
    return new ObservedState(
        Instant.now(),
        id.apiServer(),
        RequestedEncryption.plain(
            work.isZero() ? Mode.IDENTITY : Mode.AESCBC, List.of(new Resource("", "secrets"))),
        Stored.NOTHING,
        new Rollout.Converged(0, Optional.empty(), "w", new TreeSet<>(List.of("a"))),
        Activity.NONE,
        List.of(),
        Settings.DEFAULT);
  }

  @Override
  public boolean isManaged() {
    return true;
  }

  @Override
  public boolean isReported(List<Condition> conditions) {
    return true;
  }

  @Override
  public Outcome apply(Act act) {
    return new Outcome.Done();
  }
}
