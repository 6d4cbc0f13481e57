package io.keyward.codec.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.codec.Digits;
import io.keyward.codec.Times;
import io.keyward.core.health.Probe;
import io.keyward.core.model.key.KeySerial;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the monitor of a pod wrote about the plugins of the pod.
public final class MonitorCodec {
  /// A plugin as the monitor saw it.
  ///
  /// @param checked when the probe began
  /// @param warnings what the KMS says about the key that will hurt later
  public record Observed(Probe probe, Instant checked, List<String> warnings) {
    public Observed {
      warnings = List.copyOf(warnings);
    }
  }

  private MonitorCodec() {}

  /// By key; entries that cannot be read are left out.
  public static SortedMap<KeySerial, Observed> decode(byte[] text) {
    var found = new TreeMap<KeySerial, Observed>();
    try {
      for (JsonNode one : new ObjectMapper().readTree(text).path("plugins")) {
        Optional<KeySerial> serial = Digits.parse(one.path("keyID").asText("")).map(KeySerial::new);
        Optional<Instant> checked = Times.parse(one.path("checkedTime").asText(""));
        if (serial.isPresent() && checked.isPresent()) {
          found.put(
              serial.orElseThrow(),
              new Observed(probe(one), checked.orElseThrow(), warnings(one.path("warnings"))));
        }
      }
    } catch (IOException _) {
      return Collections.emptySortedMap();
    }
    return found;
  }

  private static Probe probe(JsonNode one) {
    return one.has("error")
        ? new Probe.Failure(one.path("error").asText(""))
        : new Probe.Answer(
            one.path("version").asText(""),
            one.path("healthz").asText(""),
            one.path("remoteKeyID").asText(""));
  }

  private static List<String> warnings(JsonNode list) {
    var warnings = new ArrayList<String>();
    list.forEach(one -> warnings.add(one.asText("")));
    return warnings;
  }
}
