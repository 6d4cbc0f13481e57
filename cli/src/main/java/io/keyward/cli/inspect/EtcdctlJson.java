package io.keyward.cli.inspect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.keyward.cli.CommandFailure;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.audit.Coverage;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// What `etcdctl get -w json` prints. Streams, so that the whole of etcd may come through a pipe.
final class EtcdctlJson {
  private static final int MAX_VALUE = 64 << 20;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(MAX_VALUE)
                  .maxNestingDepth(50)
                  .build())
          .build();

  private EtcdctlJson() {}

  /// Several answers may follow each other. Tells what they leave out: etcdctl with a limit prints
  /// fewer keys than it found.
  static Coverage read(InputStream in, Consumer<StoredValue> each) {
    var reasons = new ArrayList<String>();
    try (JsonParser json = FACTORY.createParser(in)) {
      while (json.nextToken() != null) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
          throw new IOException("not an object");
        }
        readAnswer(json, each, reasons);
      }
      return new Coverage(reasons, List.of());
    } catch (IOException e) {
      throw notEtcdctl(e);
    }
  }

  private static void readAnswer(JsonParser json, Consumer<StoredValue> each, List<String> reasons)
      throws IOException {
    long seen = 0;
    long found = 0;
    boolean more = false;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken token = json.nextToken();
      if (name.equals("kvs") && token == JsonToken.START_ARRAY) {
        while (json.nextToken() == JsonToken.START_OBJECT) {
          each.accept(readValue(json));
          seen++;
        }
      } else if (name.equals("count")) {
        found = json.getValueAsLong();
      } else if (name.equals("more")) {
        more = json.getValueAsBoolean();
      } else {
        json.skipChildren();
      }
    }
    if (more || seen < found) {
      reasons.add("etcdctl found " + found + " keys and printed " + seen);
    }
  }

  private static StoredValue readValue(JsonParser json) throws IOException {
    ByteView key = ByteView.EMPTY;
    ByteView value = ByteView.EMPTY;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "key" -> key = ByteView.wrap(json.getBinaryValue());
        case "value" -> value = ByteView.wrap(json.getBinaryValue());
        default -> json.skipChildren();
      }
    }
    return new StoredValue(key, value);
  }

  private static CommandFailure notEtcdctl(Throwable cause) {
    return new CommandFailure(
        "standard input is not what etcdctl prints as JSON",
        "pipe this into it: etcdctl get --prefix /registry/secrets -w json",
        cause);
  }
}
