package io.keyward.cli.operator;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.operator.ClusterReader.Unread;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// API servers that could not be read.
final class Unreadable {
  private Unreadable() {}

  /// Lines for people; empty where all could be read.
  static String text(List<Unread> all) {
    return all.stream()
        .map(one ->
            new CommandFailure(
                        one.apiServer() + ": " + one.failure().getMessage(), ClusterCall.INSTALL)
                    .explanation()
                + "\n")
        .collect(Collectors.joining());
  }

  static List<Map<String, Object>> json(List<Unread> all) {
    return all.stream().map(Unreadable::json).toList();
  }

  private static Map<String, Object> json(Unread one) {
    var json = new LinkedHashMap<String, Object>();
    json.put("component", one.apiServer());
    json.put("problem", String.valueOf(one.failure().getMessage()));
    return json;
  }
}
