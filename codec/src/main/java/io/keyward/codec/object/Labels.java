package io.keyward.codec.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A label selector.
///
/// @param values by label; an empty value means that the label is there with any value
public record Labels(SortedMap<String, String> values) {
  public static final Labels ANY = new Labels(new TreeMap<>());

  public Labels {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  public static Labels of(String label, String value) {
    return new Labels(new TreeMap<>(Map.of(label, value)));
  }

  public static Labels exists(String label) {
    return of(label, "");
  }

  public boolean match(JsonNode object) {
    JsonNode labels = object.path("metadata").path("labels");
    return values.entrySet().stream()
        .allMatch(one ->
            labels.has(one.getKey())
                && (one.getValue().isEmpty()
                    || labels.path(one.getKey()).asText("").equals(one.getValue())));
  }

  /// As the API and its clients write it.
  public String selector() {
    return values.entrySet().stream()
        .map(one -> one.getValue().isEmpty() ? one.getKey() : one.getKey() + "=" + one.getValue())
        .collect(Collectors.joining(","));
  }

  public String query() {
    return values.isEmpty()
        ? ""
        : "?labelSelector=" + URLEncoder.encode(selector(), StandardCharsets.UTF_8);
  }
}
