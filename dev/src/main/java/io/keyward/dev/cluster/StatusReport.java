package io.keyward.dev.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.output.Document;
import io.keyward.cli.output.Table;
import io.keyward.testbed.dev.DevStatus;
import io.keyward.testbed.dev.DevStatus.ServerStatus;
import java.util.Locale;

/// Writes a status for people and for programs.
final class StatusReport {
  private StatusReport() {}

  static String table(DevStatus status) {
    var text = new StringBuilder(sentence(status)).append('\n');
    if (!status.servers().isEmpty()) {
      var table = new Table("SERVER", "STATE", "PID", "ENDPOINT");
      status.servers().forEach(server -> row(table, server));
      text.append(table);
    }
    return text.toString();
  }

  static ObjectNode document(DevStatus status) {
    ObjectNode root = Document.of("DevCluster");
    root.put("state", word(status.health()));
    root.put("directory", status.directory().toString());
    ArrayNode servers = root.putArray("servers");
    status.servers().forEach(server -> servers.add(json(server)));
    return root;
  }

  private static String sentence(DevStatus status) {
    String where = " in " + status.directory();
    return switch (status.health()) {
      case NONE -> "There is no cluster" + where + ". Start one: keyward dev up";
      case UNFINISHED ->
          "The start of the cluster" + where + " goes on or was interrupted: keyward dev up";
      case UP -> "The cluster" + where + " is up.";
      case NOT_READY -> "The cluster" + where + " runs but is not ready: keyward dev logs";
      case HALF_DEAD ->
          "Some servers of the cluster" + where + " are gone. Start them again: keyward dev up";
      case STOPPED ->
          "The cluster" + where + " is stopped, its data is there. Start it: keyward dev up";
    };
  }

  private static void row(Table table, ServerStatus server) {
    table.row(server.name(), word(server.condition()), server.pid(), server.endpoint());
  }

  private static ObjectNode json(ServerStatus server) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("name", server.name())
        .put("state", word(server.condition()))
        .put("pid", server.pid())
        .put("endpoint", server.endpoint().toString())
        .put("log", server.log().toString());
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
