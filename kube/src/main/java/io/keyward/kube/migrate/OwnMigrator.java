package io.keyward.kube.migrate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.migration.MigrationProgress;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.codec.migration.OwnMigrationCodec;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.Resource;
import io.keyward.engine.SiteId;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Conflict;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Events;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Runs the migrations that are written down as running, and ends those that were taken back. A
/// migration is a ConfigMap.
///
/// After a crash the next operator goes on where the record says.
public final class OwnMigrator implements Migrator {
  private static final Logger LOG = System.getLogger(OwnMigrator.class.getName());

  private final Api api;
  private final MigratorAccount account;
  private final InstantSource clock;
  private final Consumer<Component> onChange;
  private final Map<Job, Thread> workers = new ConcurrentHashMap<>();
  private final Map<Work, MigrationProgress> progresses = new ConcurrentHashMap<>();

  /// One migration record of one site.
  private record Job(SiteId site, String uid) {
    @Override
    public String toString() {
      return site + "/" + uid;
    }
  }

  /// With the credentials of the caller.
  OwnMigrator(Api api, InstantSource clock, Consumer<Component> onChange) {
    this(api, MigratorAccount.sameAs(api), clock, onChange);
  }

  /// A migrator at rest.
  ///
  /// @param account lists and updates the objects
  OwnMigrator(Api api, MigratorAccount account, InstantSource clock, Consumer<Component> onChange) {
    this.api = api;
    this.account = account;
    this.clock = clock;
    this.onChange = onChange;
  }

  @Override
  public SortedMap<Resource, MigrationRecord> look(Reads reads, Component component) {
    var found = new TreeMap<Resource, MigrationRecord>();
    String all = records(component);
    for (ObjectNode item : reads.list(all, MigrationRecord.label(component.name()))) {
      OwnMigrationCodec.read(item, all, clock.instant())
          .ifPresent(one -> found.put(one.status().resource(), one));
    }
    return found;
  }

  @Override
  public void start(
      Component component, MigrationDecision.Start start, Optional<MigrationRecord> before) {
    before.ifPresent(old -> api.delete(old.path(), old.json()));
    ObjectNode json = OwnMigrationCodec.start(component.name(), start, before, clock.instant());
    String name = MigrationRecord.name(component.name(), start.resource());
    String path = records(component) + "/" + name;
    if (before.isEmpty()
        && api.get(path).filter(left -> !MigrationRecord.isLabelled(left)).isPresent()) {
      throw new ClusterFailure(
          "ConfigMap "
              + name
              + " in "
              + component.api().managedNamespace()
              + " was not created by Keyward and blocks the migration; delete or rename it");
    }
    api.create(records(component), json);
  }

  private static String records(Component component) {
    return component.managed() + "/configmaps";
  }

  @Override
  public void tend(Component component, SortedMap<Resource, MigrationRecord> records) {
    var wanted = new HashSet<Job>();
    for (MigrationRecord one : records.values()) {
      var id = new Job(component.site(), one.uid());
      // One that has just ended still tells people so.
      wanted.add(id);
      if (one.status().state() instanceof State.Running) {
        workers.computeIfAbsent(
            id,
            _ -> Thread.ofVirtual().name("migration " + id).start(() -> work(id, one, component)));
      }
    }
    workers.forEach((id, thread) -> {
      if (id.site().equals(component.site()) && !wanted.contains(id)) {
        thread.interrupt();
        workers.remove(id);
      }
    });
  }

  private void work(Job id, MigrationRecord begun, Component component) {
    var log = new Logbook(begun, component);
    try {
      OwnMigrationCodec.Position at = OwnMigrationCodec.position(begun);
      var from =
          new Rewriter.Position(
              at.next(), at.place(), begun.progress().done(), begun.progress().total());
      var pace = new ConcurrencyLimit();
      var others = new ForeignLoad();
      new Rewriter(account, begun.status().resource(), pace, others)
          .run(from, now -> log.at(now, pace.width(), others.word()));
      log.end("");
    } catch (Conflict _) {
      LOG.log(Level.DEBUG, id + " was replaced or deleted");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // Whoever is told to stop has not failed: the next one goes on.
      if (!Thread.currentThread().isInterrupted()) {
        LOG.log(Level.WARNING, id + " failed: " + e.getMessage());
        fail(log, e);
      }
    } finally {
      workers.remove(id);
      progresses.remove(new Work(component.site(), begun.status().resource()));
      onChange.accept(component);
    }
  }

  private static void fail(Logbook log, RuntimeException cause) {
    try {
      log.end(String.valueOf(cause.getMessage()));
    } catch (RuntimeException e) {
      // It stays written down as running, and is gone on with at the next look.
      LOG.log(Level.DEBUG, "not written down", e);
    }
  }

  @Override
  public Map<Work, MigrationProgress> running() {
    return Map.copyOf(progresses);
  }

  @Override
  public void rest() {
    workers.values().forEach(Thread::interrupt);
  }

  @Override
  public void close() {
    rest();
    account.close();
  }

  /// Writes down how far one migration is. Fails where its record was taken back.
  private final class Logbook {
    private static final long PAUSE = 1_000_000_000;

    private final Component component;
    private final MigrationStatus status;
    private final Events events;
    private final String path;
    private final long doneBefore;
    private final long begun = System.nanoTime();
    private ObjectNode json;
    private MigrationProgress progress;
    private long last = begun - PAUSE;

    Logbook(MigrationRecord record, Component component) {
      this.component = component;
      this.status = record.status();
      this.events = new Events(api, component, clock);
      this.path = record.path();
      this.json = record.json();
      this.progress = record.progress();
      this.doneBefore = record.progress().done();
    }

    void at(Rewriter.Position at, int atOnce, String others) {
      double seconds = (System.nanoTime() - begun) / 1e9;
      int quarter = progress.quarter();
      progress =
          new MigrationProgress(
              at.done(), at.total(), Math.max(0, at.done() - doneBefore) / seconds);
      progresses.put(new Work(component.site(), status.resource()), progress);
      OwnMigrationCodec.move(
          json, new OwnMigrationCodec.Position(at.next(), at.place()), progress, atOnce, others);
      if (System.nanoTime() - last >= PAUSE) {
        write();
        if (quarter < progress.quarter() && progress.quarter() < 4) {
          events.tell("EncryptionMigrationProgressing", words());
        }
        onChange.accept(component);
      }
    }

    /// @param problem empty where it succeeded
    void end(String problem) {
      OwnMigrationCodec.end(json, problem, clock.instant());
      write();
      if (problem.isEmpty()) {
        events.tell("EncryptionMigrationFinished", words());
      } else {
        events.warn("EncryptionMigrationFailed", words() + ": " + problem);
      }
    }

    private String words() {
      return status.resource() + " under key " + status.target() + ": " + progress.words();
    }

    private void write() {
      json = api.replace(path, json);
      last = System.nanoTime();
    }
  }
}
