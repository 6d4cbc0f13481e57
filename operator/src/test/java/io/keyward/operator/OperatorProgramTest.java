package io.keyward.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.codec.migration.MigrationProgress;
import io.keyward.core.model.Resource;
import io.keyward.engine.Engine;
import io.keyward.engine.Site;
import io.keyward.engine.SiteId;
import io.keyward.engine.SiteSnapshot;
import io.keyward.kube.leader.Leadership;
import io.keyward.kube.migrate.Migrator;
import io.keyward.serve.ListenSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class OperatorProgramTest {
  private final ConcurrentLinkedQueue<String> happened = new ConcurrentLinkedQueue<>();

  /// A source with one site, which cannot be observed.
  private final class OneSite implements SiteSource {
    private final String name;
    private final CountDownLatch observed = new CountDownLatch(1);

    OneSite(String name) {
      this.name = name;
    }

    @Override
    public void start(Engine engine) {
      happened.add("start " + name);
      engine.add(
          new Site() {
            @Override
            public SiteId id() {
              return new SiteId(name, "kube-apiserver");
            }

            @Override
            public SiteSnapshot observe() {
              observed.countDown();
              throw new IllegalStateException("no cluster");
            }
          });
    }

    @Override
    public void stop() {
      happened.add("stop " + name);
    }

    @Override
    public Map<Migrator.Work, MigrationProgress> migrations() {
      return Map.of(
          new Migrator.Work(new SiteId(name, "kube-apiserver"), new Resource("", "secrets")),
          new MigrationProgress(1, 2, 0));
    }

    @Override
    public void close() {}
  }

  private final OneSite first = new OneSite("first");
  private final OneSite second = new OneSite("second");

  private OperatorProgram program(
      OperatorProgram.Election election, Optional<ListenSettings> listen) {
    return new OperatorProgram(election, List.of(first, second), listen, happened::add);
  }

  /// Elects once, and is interrupted in the middle of the term.
  private void oneTerm(Supplier<Leadership.Term> lead) throws InterruptedException {
    try (var _ = lead.get()) {
      first.observed.await();
      second.observed.await();
      throw new InterruptedException();
    }
  }

  @Test
  @Timeout(30)
  void aLeaderWorksOnTheSitesOfAllSources() {
    assertThatThrownBy(() -> program(this::oneTerm, Optional.empty()).run())
        .isInstanceOf(InterruptedException.class);
    assertThat(happened)
        .containsExactly(
            "waiting for leader election",
            "became leader",
            "start first",
            "start second",
            "stop first",
            "stop second",
            "lost leadership");
  }

  @Test
  @Timeout(30)
  void metricsAreServedBeforeAnElectionAndCoverAllSources() throws InterruptedException {
    program(
            _ -> {
              String url = happened.remove().replaceFirst("health and metrics on ", "");
              assertThat(scrape(URI.create(url).resolve("/metrics")))
                  .contains("cluster=\"first\"", "cluster=\"second\"");
            },
            Optional.of(ListenSettings.loopback(0)))
        .run();
  }

  private static String scrape(URI metrics) throws InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
