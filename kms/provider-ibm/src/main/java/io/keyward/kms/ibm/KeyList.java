package io.keyward.kms.ibm;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.SecretFile;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The root keys that may have wrapped something, newest first. The first one wraps.
interface KeyList {
  List<RootKey> keys();

  static KeyList of(RootKey only) {
    var keys = List.of(only);
    return () -> keys;
  }

  /// A file in the form that HyperShift gives to its IBM plugin (`KP_DATA_JSON`): an object whose
  /// names are numbers, the greatest being the newest, and whose values have `crkID`, `instanceID`,
  /// `url` and perhaps `correlationID`. Read again when it changes.
  static KeyList in(Path file) {
    return new InFile(file);
  }

  /// The last good content counts until there is a newer good one.
  final class InFile implements KeyList {
    private record Read(FileTime modified, List<RootKey> keys) {}

    private final Path file;
    private volatile Read last;

    private InFile(Path file) {
      this.file = file;
      this.last = read();
    }

    @Override
    public List<RootKey> keys() {
      Read known = last;
      try {
        if (!Files.getLastModifiedTime(file).equals(known.modified())) {
          known = read();
          last = known;
        }
      } catch (IOException | KmsException e) {
        return known.keys(); // being replaced, or replaced by something wrong
      }
      return known.keys();
    }

    private Read read() {
      try {
        FileTime modified = Files.getLastModifiedTime(file);
        String text = new SecretFile(file).read(); // bounded; it is not secret
        var byNumber = new TreeMap<Integer, RootKey>();
        for (var entry : IbmJson.object(text.getBytes(StandardCharsets.UTF_8)).entrySet()) {
          byNumber.put(Integer.valueOf(String.valueOf(entry.getKey())), key(entry.getValue()));
        }
        if (byNumber.isEmpty()) {
          throw new IllegalArgumentException("it names no key");
        }
        return new Read(modified, new ArrayList<>(byNumber.descendingMap().values()));
      } catch (IOException | IllegalArgumentException e) {
        throw new KmsException(
            Kind.INTERNAL, "the key list cannot be understood", Map.of("file", file.toString()));
      }
    }

    private static RootKey key(Object value) {
      return new RootKey(
          URI.create(IbmJson.text(value, "url")),
          IbmJson.text(value, "instanceID"),
          IbmJson.text(value, "crkID"),
          IbmJson.text(value, "correlationID"));
    }
  }
}
