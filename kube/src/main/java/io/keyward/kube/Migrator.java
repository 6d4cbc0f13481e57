package io.keyward.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.MigrationStatus;
import io.keyward.operator.ChangedMeanwhile;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Runs the migrations that are written down as running, and ends those that were taken back.
///
/// After a crash the next operator goes on where the record says.
public final class Migrator implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Migrator.class.getName());

  private final Api api;
  private final InstantSource clock;
  private final Runnable onChange;
  private final Map<String, Thread> workers = new ConcurrentHashMap<>();

  public Migrator(Api api, InstantSource clock, Runnable onChange) {
    this.api = api;
    this.clock = clock;
    this.onChange = onChange;
  }

  void adopt(String component, Collection<MigrationRecord> records) {
    var wanted = new HashSet<String>();
    for (MigrationRecord one : records) {
      if (one.status().state() instanceof MigrationStatus.State.Running) {
        String id = component + "/" + one.json().at("/metadata/uid").asText();
        wanted.add(id);
        workers.computeIfAbsent(
            id, _ -> Thread.ofVirtual().name("migration " + id).start(() -> work(id, one)));
      }
    }
    workers.forEach((id, thread) -> {
      if (id.startsWith(component + "/") && !wanted.contains(id)) {
        thread.interrupt();
        workers.remove(id);
      }
    });
  }

  private void work(String id, MigrationRecord begun) {
    var progress = new Progress(begun.json());
    try {
      var rewriter = new Rewriter(api, begun.status().resource());
      rewriter.run(begun.json().at("/data/position").asText(""), progress);
      progress.end("Succeeded", "");
    } catch (ChangedMeanwhile _) {
      LOG.log(Level.DEBUG, id + " was taken back");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, id + " failed: " + e.getMessage());
      fail(progress, e);
    } finally {
      workers.remove(id);
      onChange.run();
    }
  }

  private static void fail(Progress progress, RuntimeException cause) {
    try {
      progress.end("Failed", String.valueOf(cause.getMessage()));
    } catch (RuntimeException e) {
      // It stays written down as running, and is gone on with at the next look.
      LOG.log(Level.DEBUG, "not written down", e);
    }
  }

  @Override
  public void close() {
    workers.values().forEach(Thread::interrupt);
  }

  /// Writes down how far it is. Fails where the record was taken back.
  final class Progress {
    private static final long PAUSE_MILLIS = 2_000;

    private ObjectNode json;
    private long last = clock.millis();

    Progress(ObjectNode json) {
      this.json = json;
    }

    void at(String position, long done, long total) {
      json.withObject("/data")
          .put("position", position)
          .put("done", Long.toString(done))
          .put("total", Long.toString(total));
      if (clock.millis() - last >= PAUSE_MILLIS) {
        write();
      }
    }

    void end(String state, String detail) {
      json.withObject("/data")
          .put("state", state)
          .put("detail", detail.length() > 1000 ? detail.substring(0, 1000) : detail)
          .put("finishedTime", clock.instant().toString());
      write();
    }

    private void write() {
      json = api.replace(MigrationRecord.read(json).path(), json);
      last = clock.millis();
    }
  }
}
