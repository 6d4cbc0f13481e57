package io.keyward.storage.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.bytes.WireReader;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// The message that KMS v2 stores. May break the protocol's limits: see [#isValid].
///
/// `unvalued` names the annotations that were written without a value, which reads as an empty one.
public record EncryptedObject(
    ByteView encryptedData,
    String keyId,
    ByteView dekSource,
    int dekSourceType,
    SortedMap<String, ByteView> annotations,
    Set<String> unvalued) {
  /// The wrapped thing is the DEK itself. What kube-apiserver wrote before 1.29.
  public static final int KEY = 0;

  /// The wrapped thing is a seed; each value has a DEK derived from it.
  public static final int SEED = 1;

  private static final int MAX_KEY_ID = 1024;
  private static final int MAX_DEK_SOURCE = 1024;
  private static final int MAX_ANNOTATIONS = 32 * 1024;
  private static final int MAX_NAME = 253;
  private static final int MAX_LABEL = 63;

  public EncryptedObject {
    annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    unvalued = Set.copyOf(unvalued);
  }

  /// Empty when the bytes are not such a message.
  static Optional<EncryptedObject> parse(ByteView message) {
    ByteView data = ByteView.EMPTY;
    ByteView dekSource = ByteView.EMPTY;
    Optional<String> keyId = Optional.of("");
    int type = KEY;
    var annotations = new TreeMap<String, ByteView>();
    var unvalued = new HashSet<String>();
    boolean sound = true;
    var fields = new WireReader(message);
    while (fields.next()) {
      if (fields.is(1, WireReader.BYTES)) {
        data = fields.content();
      } else if (fields.is(2, WireReader.BYTES)) {
        keyId = keyId.flatMap(_ -> fields.content().utf8());
      } else if (fields.is(3, WireReader.BYTES)) {
        dekSource = fields.content();
      } else if (fields.is(4, WireReader.BYTES)) {
        sound &= readAnnotation(fields.content(), annotations, unvalued);
      } else if (fields.is(5, WireReader.VARINT)) {
        type = (int) fields.number();
      }
    }
    if (fields.isDamaged() || keyId.isEmpty() || !sound) {
      return Optional.empty();
    }
    return Optional.of(
        new EncryptedObject(data, keyId.get(), dekSource, type, annotations, unvalued));
  }

  private static boolean readAnnotation(
      ByteView entry, Map<String, ByteView> into, Set<String> unvalued) {
    Optional<String> name = Optional.of("");
    Optional<ByteView> value = Optional.empty();
    var fields = new WireReader(entry);
    while (fields.next()) {
      if (fields.is(1, WireReader.BYTES)) {
        name = name.flatMap(_ -> fields.content().utf8());
      } else if (fields.is(2, WireReader.BYTES)) {
        value = Optional.of(fields.content());
      }
    }
    if (fields.isDamaged() || name.isEmpty()) {
      return false;
    }
    into.put(name.get(), value.orElse(ByteView.EMPTY));
    if (value.isPresent()) {
      unvalued.remove(name.get());
    } else {
      unvalued.add(name.get());
    }
    return true;
  }

  /// Whether kube-apiserver would go on to ask the plugin about it.
  public boolean isValid() {
    return (dekSourceType == KEY || dekSourceType == SEED)
        && !encryptedData.isEmpty()
        && isWithin(dekSource.size(), MAX_DEK_SOURCE)
        && isWithin(keyId.getBytes(UTF_8).length, MAX_KEY_ID)
        && hasValidAnnotations();
  }

  private static boolean isWithin(int size, int most) {
    return size >= 1 && size <= most;
  }

  private boolean hasValidAnnotations() {
    long size = 0;
    for (var annotation : annotations.entrySet()) {
      if (!isDomain(annotation.getKey())) {
        return false;
      }
      size += annotation.getKey().getBytes(UTF_8).length + annotation.getValue().size();
    }
    return size <= MAX_ANNOTATIONS;
  }

  /// At least two labels; a dot at the end is allowed.
  private static boolean isDomain(String name) {
    String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    return bare.length() <= MAX_NAME
        && bare.indexOf('.') >= 0
        && Arrays.stream(bare.split("\\.", -1)).allMatch(EncryptedObject::isLabel);
  }

  private static boolean isLabel(String label) {
    return !label.isEmpty()
        && label.length() <= MAX_LABEL
        && label.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'))
        && !label.startsWith("-")
        && !label.endsWith("-");
  }
}
