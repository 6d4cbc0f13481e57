package io.keyward.kms.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What a provider stores in the clear beside a wrapped DEK. Never secret; bounded as KMS v2 wants.
public record Annotations(Map<String, Bytes> entries) {
  /// KMS v2 wants less than 32 KiB for all keys and values together.
  public static final int MAX_BYTES = 32 * 1024 - 1;

  public static final Annotations NONE = new Annotations(Map.of());

  private static final int MAX_NAME = 253;
  private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
  private static final Pattern FQDN = Pattern.compile(LABEL + "(\\." + LABEL + ")+");

  public Annotations {
    long size = 0;
    for (var entry : entries.entrySet()) {
      if (entry.getKey().length() > MAX_NAME || !FQDN.matcher(entry.getKey()).matches()) {
        throw new IllegalArgumentException(
            "annotation name must be a fully qualified domain name: " + entry.getKey());
      }
      size += entry.getKey().getBytes(UTF_8).length + entry.getValue().size();
    }
    if (size > MAX_BYTES) {
      throw new IllegalArgumentException(
          "annotations must have at most " + MAX_BYTES + " bytes: " + size);
    }
    // Sorted, so that equal annotations are stored as equal bytes.
    entries = Collections.unmodifiableMap(new TreeMap<>(entries));
  }
}
