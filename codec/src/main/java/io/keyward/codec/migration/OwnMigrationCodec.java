package io.keyward.codec.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Times;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.Resource;
import java.time.Instant;
import java.util.Optional;

/// A migration that the operator itself runs: a ConfigMap with its state and its position, from
/// which the next operator resumes after a crash.
public final class OwnMigrationCodec {
  private static final String RESOURCE = "resource";
  private static final String STATE = "state";
  private static final String DETAIL = "detail";
  private static final String STARTED = "startedTime";
  private static final String FINISHED = "finishedTime";
  private static final String CONTINUE = "continue";
  private static final String POSITION = "position";
  private static final int LONGEST_DETAIL = 1000;

  private OwnMigrationCodec() {}

  /// Where a migration is.
  ///
  /// @param next where the API server goes on with its list; empty at the start
  /// @param place the last object that is done
  public record Position(String next, String place) {}

  /// Empty where the ConfigMap names no resource.
  public static Optional<MigrationRecord> read(ObjectNode json, String collection, Instant now) {
    JsonNode data = ObjectMeta.data(json);
    String resource = data.path(RESOURCE).asText("");
    if (resource.isEmpty()) {
      return Optional.empty();
    }
    // A clock that was set back must not make the operator wait for a failure of the future.
    Instant at =
        Times.parse(data.path(FINISHED).asText(""))
            .filter(time -> !time.isAfter(now))
            .orElse(Instant.EPOCH);
    State state =
        switch (data.path(STATE).asText("")) {
          case "Running" -> new State.Running();
          case "Succeeded" -> new State.Succeeded(at);
          default -> new State.Failed(at, data.path(DETAIL).asText("unknown"));
        };
    return Optional.of(
        MigrationRecord.read(
            json, collection, Resource.parse(resource), state, MigrationProgress.read(data)));
  }

  /// A migration that starts.
  ///
  /// @param before what a failed one did for the same key, while the same instances ran, is done
  public static ObjectNode start(
      String component,
      MigrationDecision.Start start,
      Optional<MigrationRecord> before,
      Instant now) {
    ObjectNode json = MigrationRecord.begin("v1", "ConfigMap", component, start);
    ObjectNode data = json.putObject("data");
    before
        .filter(old -> old.serves(start))
        .map(old -> ObjectMeta.data(old.json()))
        .ifPresent(old -> {
          old.properties().forEach(member -> data.set(member.getKey(), member.getValue()));
          data.remove(DETAIL);
          data.remove(FINISHED);
        });
    data.put(RESOURCE, start.resource().canonical())
        .put(STATE, "Running")
        .put(STARTED, now.toString());
    return json;
  }

  public static Position position(MigrationRecord record) {
    return new Position(
        ObjectMeta.data(record.json(), CONTINUE), ObjectMeta.data(record.json(), POSITION));
  }

  /// Records how far it is.
  ///
  /// @param atOnce how many requests were under way
  /// @param others what was known of other load
  public static void move(
      ObjectNode json, Position to, MigrationProgress progress, int atOnce, String others) {
    ObjectNode data = json.withObject("/data");
    data.put(CONTINUE, to.next()).put(POSITION, to.place());
    data.put("atOnce", Integer.toString(atOnce)).put("others", others);
    progress.write(data);
  }

  /// Records that it ended.
  ///
  /// @param problem empty where it succeeded
  public static void end(ObjectNode json, String problem, Instant now) {
    json.withObject("/data")
        .put(STATE, problem.isEmpty() ? "Succeeded" : "Failed")
        .put(
            DETAIL,
            problem.length() > LONGEST_DETAIL ? problem.substring(0, LONGEST_DETAIL) : problem)
        .put(FINISHED, now.toString());
  }
}
