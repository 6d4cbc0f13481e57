package io.keyward.bench.migrator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.codec.object.Labels;
import io.keyward.core.migration.MigrationDecision.Start;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.migrate.Migrator;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// One rewrite of everything, in the ways that are compared.
final class Runs {
  private static final Resource SECRETS = new Resource("", "secrets");
  private static final Component COMPONENT =
      new Component(
          "bench",
          "kube-system",
          "kubeapiservers",
          Workload.RESTART_COMMAND,
          new TreeSet<>(List.of(SECRETS)),
          new TreeSet<>());

  private Runs() {}

  /// Seconds, and how many requests were under way at once.
  record Run(double seconds, int atOnce) {}

  static Run migrate(KeyedCluster cluster, Migrator.Kind kind, boolean nudge)
      throws InterruptedException {
    var widths = new ArrayList<Integer>();
    var changed = new Semaphore(0);
    try (var migrator =
        Migrator.of(kind, cluster.api(), InstantSource.system(), _ -> changed.release())) {
      long begun = System.nanoTime();
      var start =
          new Start(SECRETS, new MigrationTarget(cluster.key(), Optional.empty()), "bench", 1);
      migrator.start(COMPONENT, start, record(cluster, migrator));
      for (int i = 0; ; i++) {
        migrator.tend(COMPONENT, migrator.look(cluster.api(), COMPONENT));
        MigrationRecord now = record(cluster, migrator).orElseThrow();
        switch (now.status().state()) {
          case State.Running _ -> {}
          case State.Succeeded _ -> {
            double seconds = (System.nanoTime() - begun) / 1e9;
            widths.sort(null);
            return new Run(seconds, widths.isEmpty() ? 1 : widths.get(widths.size() / 2));
          }
          case State.Failed(_, var message) -> throw new IllegalStateException(message);
        }
        int width = now.json().at("/data/atOnce").asInt(0);
        if (width > 0) {
          widths.add(width);
        }
        // As the operator looks: when the migrator says so, and now and then.
        boolean _ = changed.tryAcquire(200, TimeUnit.MILLISECONDS);
        changed.drainPermits();
        if (nudge && i % 5 == 0) {
          cluster.create("nudge-" + cluster.key() + "-" + i);
        }
      }
    }
  }

  private static Optional<MigrationRecord> record(KeyedCluster cluster, Migrator migrator) {
    return Optional.ofNullable(migrator.look(cluster.api(), COMPONENT).get(SECRETS));
  }

  /// What was read, written again as it is. The reading is not counted.
  static Run puts(KeyedCluster cluster, int atOnce) throws InterruptedException {
    List<ObjectNode> all = cluster.api().list(KeyedCluster.SECRETS, Labels.ANY);
    var next = new AtomicInteger();
    var done = new CountDownLatch(atOnce);
    long begun = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < atOnce; i++) {
        threads.execute(() -> {
          for (int one = next.getAndIncrement(); one < all.size(); one = next.getAndIncrement()) {
            ObjectNode secret = all.get(one);
            cluster
                .api()
                .replace(KeyedCluster.SECRETS + "/" + secret.at("/metadata/name").asText(), secret);
          }
          done.countDown();
        });
      }
      done.await();
    }
    return new Run((System.nanoTime() - begun) / 1e9 * cluster.secrets() / all.size(), atOnce);
  }
}
