package io.keyward.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.etcd.bytes.ByteView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/// The vectors that were made and checked with the real apiserver code.
public final class Vectors {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Vectors() {}

  public static List<JsonNode> lines(String file) {
    var lines = new ArrayList<JsonNode>();
    try (var reader = new BufferedReader(new InputStreamReader(packed(file), UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(JSON.readTree(line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  public static String text(String file) {
    try (InputStream packed = packed(file)) {
      return new String(packed.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Path unpack(String file, Path directory) {
    Path unpacked = directory.resolve(file);
    try (InputStream packed = packed(file)) {
      Files.copy(packed, unpacked);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return unpacked;
  }

  private static InputStream packed(String file) throws IOException {
    return new GZIPInputStream(
        Objects.requireNonNull(Vectors.class.getResourceAsStream("/vectors/" + file + ".gz")));
  }

  public static ByteView base64(JsonNode text) {
    return ByteView.wrap(Base64.getDecoder().decode(text.asText()));
  }

  public static ByteView utf8(JsonNode text) {
    return ByteView.utf8(text.asText());
  }
}
