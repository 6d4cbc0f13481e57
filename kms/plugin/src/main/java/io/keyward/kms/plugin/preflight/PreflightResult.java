package io.keyward.kms.plugin.preflight;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/// The verdict of a preflight, for the operator. The answers of node agents have the same members.
///
/// @param remoteKeyId the `key_id` of the tried key; may be empty
/// @param detail empty if it passed
public record PreflightResult(
    boolean passed, String remoteKeyId, String detail, List<String> warnings) {
  /// The kubelet cuts a termination message at 4096 bytes, and a cut document is none.
  public static final int MOST_BYTES = 2_000;

  private static final String CUT = "…";
  private static final JsonFactory JSON = new JsonFactory();

  public PreflightResult {
    warnings = List.copyOf(warnings);
  }

  /// On one line, with as much of the detail as fits.
  public String json() {
    String whole = json(detail);
    if (whole.getBytes(UTF_8).length <= MOST_BYTES) {
      return whole;
    }
    int fits = 0;
    int tooLong = detail.length();
    while (tooLong - fits > 1) {
      int middle = (fits + tooLong) >>> 1;
      boolean isShort = json(first(middle)).getBytes(UTF_8).length <= MOST_BYTES;
      fits = isShort ? middle : fits;
      tooLong = isShort ? tooLong : middle;
    }
    return json(first(fits));
  }

  /// Never between the halves of a character.
  private String first(int length) {
    boolean splits = length > 0 && Character.isHighSurrogate(detail.charAt(length - 1));
    return detail.substring(0, splits ? length - 1 : length) + CUT;
  }

  private String json(String shown) {
    var text = new StringWriter();
    try (var json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeBooleanField("passed", passed);
      json.writeStringField("remoteKeyID", remoteKeyId);
      json.writeStringField("detail", shown);
      if (!warnings.isEmpty()) {
        json.writeArrayFieldStart("warnings");
        for (String warning : warnings) {
          json.writeString(warning);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string writer does not fail", e);
    }
    return text.toString();
  }
}
