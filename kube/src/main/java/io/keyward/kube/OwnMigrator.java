package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Wire;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.Resource;
import io.keyward.operator.Conflict;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// Runs the migrations that are written down as running, and ends those that were taken back. A
/// migration is a ConfigMap.
///
/// After a crash the next operator goes on where the record says.
public final class OwnMigrator implements Migrator {
  private static final Logger LOG = System.getLogger(OwnMigrator.class.getName());
  private static final String PATH = KubeSite.MANAGED + "/configmaps";
  private static final String CONTINUE = "continue";
  private static final String POSITION = "position";

  private final Api api;
  private final InstantSource clock;
  private final Runnable onChange;
  private final Map<String, Thread> workers = new ConcurrentHashMap<>();
  private final Map<String, MigrationProgress> progresses = new ConcurrentHashMap<>();

  OwnMigrator(Api api, InstantSource clock, Runnable onChange) {
    this.api = api;
    this.clock = clock;
    this.onChange = onChange;
  }

  @Override
  public SortedMap<Resource, MigrationRecord> look(Component component) {
    var found = new TreeMap<Resource, MigrationRecord>();
    for (ObjectNode item : api.list(PATH, MigrationRecord.LABEL, component.name())) {
      String resource = item.at("/data/resource").asText("");
      if (!resource.isEmpty()) {
        MigrationRecord one = read(item);
        found.put(one.status().resource(), one);
      }
    }
    return found;
  }

  private MigrationRecord read(ObjectNode json) {
    JsonNode data = json.path("data");
    // A clock that was set back must not make a failure of the future be waited for.
    Instant at =
        StatusReader.time(data.path("finishedTime").asText(""))
            .filter(time -> !time.isAfter(clock.instant()))
            .orElse(Instant.EPOCH);
    State state =
        switch (data.path("state").asText("")) {
          case "Running" -> new State.Running();
          case "Succeeded" -> new State.Succeeded(at);
          default -> new State.Failed(at, data.path("detail").asText("unknown"));
        };
    return MigrationRecord.read(
        json,
        PATH,
        Resource.parse(data.path("resource").asText()),
        state,
        MigrationProgress.read(data));
  }

  @Override
  public void start(
      Component component, MigrationDecision.Start start, Optional<MigrationRecord> before) {
    before.ifPresent(old -> api.delete(old.path(), old.json()));
    ObjectNode json = MigrationRecord.begin("v1", "ConfigMap", component, start);
    ObjectNode data = json.putObject("data");
    // What a failed one did for the same key, while the same instances ran, is done.
    before
        .filter(old -> old.serves(start))
        .map(old -> old.json().path("data"))
        .ifPresent(old -> {
          old.properties().forEach(member -> data.set(member.getKey(), member.getValue()));
          data.remove("detail");
          data.remove("finishedTime");
        });
    data.put("resource", start.resource().canonical())
        .put("state", "Running")
        .put("startedTime", clock.instant().toString());
    String path = PATH + "/" + MigrationRecord.name(start.resource());
    if (before.isEmpty()
        && api.get(path).filter(left -> !MigrationRecord.isLabelled(left)).isPresent()) {
      throw new ClusterFailure(
          "ConfigMap "
              + json.at("/metadata/name").asText()
              + " in "
              + Wire.MANAGED_NAMESPACE
              + " is not of Keyward and is in the way; delete or rename it");
    }
    api.create(PATH, json);
  }

  @Override
  public void tend(Component component, SortedMap<Resource, MigrationRecord> records) {
    var wanted = new HashSet<String>();
    for (MigrationRecord one : records.values()) {
      String id = component.name() + "/" + one.json().at("/metadata/uid").asText();
      // One that has just ended still tells people so.
      wanted.add(id);
      if (one.status().state() instanceof State.Running) {
        workers.computeIfAbsent(
            id,
            _ ->
                Thread.ofVirtual()
                    .name("migration " + id)
                    .start(() -> work(id, one, new Events(api, component, clock))));
      }
    }
    workers.forEach((id, thread) -> {
      if (id.startsWith(component.name() + "/") && !wanted.contains(id)) {
        thread.interrupt();
        workers.remove(id);
      }
    });
  }

  private void work(String id, MigrationRecord begun, Events events) {
    var log = new Logbook(begun, events);
    try {
      JsonNode data = begun.json().path("data");
      var from =
          new Rewriter.Position(
              data.path(CONTINUE).asText(""),
              data.path(POSITION).asText(""),
              begun.progress().done(),
              begun.progress().total());
      var pace = new Pace();
      var others = new Others();
      new Rewriter(api, begun.status().resource(), pace, others)
          .run(from, at -> log.at(at, pace.width(), others.word()));
      log.end("Succeeded", "");
    } catch (Conflict _) {
      LOG.log(Level.DEBUG, id + " was taken back");
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
      progresses.remove(begun.status().resource().canonical());
      onChange.run();
    }
  }

  private static void fail(Logbook log, RuntimeException cause) {
    try {
      log.end("Failed", String.valueOf(cause.getMessage()));
    } catch (RuntimeException e) {
      // It stays written down as running, and is gone on with at the next look.
      LOG.log(Level.DEBUG, "not written down", e);
    }
  }

  @Override
  public Map<String, MigrationProgress> running() {
    return Map.copyOf(progresses);
  }

  @Override
  public void rest() {
    workers.values().forEach(Thread::interrupt);
  }

  /// Writes down how far one migration is. Fails where its record was taken back.
  private final class Logbook {
    private static final long PAUSE = 1_000_000_000;

    private final MigrationStatus status;
    private final Events events;
    private final String path;
    private final long doneBefore;
    private final long begun = System.nanoTime();
    private ObjectNode json;
    private MigrationProgress progress;
    private long last = begun - PAUSE;

    Logbook(MigrationRecord record, Events events) {
      this.status = record.status();
      this.events = events;
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
      progresses.put(status.resource().canonical(), progress);
      ObjectNode data = json.withObject("/data");
      data.put(CONTINUE, at.next()).put(POSITION, at.place());
      data.put("atOnce", Integer.toString(atOnce)).put("others", others);
      progress.write(data);
      if (System.nanoTime() - last >= PAUSE) {
        write();
        if (quarter < progress.quarter() && progress.quarter() < 4) {
          events.tell("EncryptionMigrationProgressing", words());
        }
        onChange.run();
      }
    }

    void end(String state, String detail) {
      String bounded = detail.length() > 1000 ? detail.substring(0, 1000) : detail;
      json.withObject("/data")
          .put("state", state)
          .put("detail", bounded)
          .put("finishedTime", clock.instant().toString());
      write();
      if (detail.isEmpty()) {
        events.tell("EncryptionMigrationFinished", words());
      } else {
        events.warn("EncryptionMigrationFailed", words() + ": " + bounded);
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
