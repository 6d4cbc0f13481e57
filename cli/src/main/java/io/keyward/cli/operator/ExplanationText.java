package io.keyward.cli.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.output.Document;
import io.keyward.operator.ClusterReader.Readings;
import io.keyward.operator.Explanation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What `keyward explain` prints.
final class ExplanationText {
  private ExplanationText() {}

  static String people(List<Explanation> all) {
    var text = new StringBuilder();
    for (Explanation one : all) {
      text.append(one.apiServer()).append('\n');
      text.append("  runs: ").append(one.runs()).append('\n');
      text.append("  next:")
          .append(one.next().isEmpty() ? " nothing, until something changes" : "");
      text.append('\n');
      one.next().forEach(line -> text.append("    - ").append(line).append('\n'));
      one.conditions().forEach(line -> text.append("  ").append(line).append('\n'));
    }
    return text.toString();
  }

  static ObjectNode programs(Readings<Explanation> readings) {
    var json = new LinkedHashMap<String, Object>();
    json.put("apiServers", readings.read().stream().map(ExplanationText::json).toList());
    json.put("unread", Unreadable.json(readings.unread()));
    return Document.of("Explanation", json);
  }

  private static Map<String, Object> json(Explanation one) {
    var json = new LinkedHashMap<String, Object>();
    json.put("component", one.apiServer());
    json.put("runs", one.runs());
    json.put("next", one.next());
    json.put("conditions", one.conditions());
    return json;
  }
}
