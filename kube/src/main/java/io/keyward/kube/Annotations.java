package io.keyward.kube;

import io.keyward.codec.Wire;
import java.util.List;

/// Annotations that a key secret loses when what they say is taken back.
final class Annotations {
  static final List<String> OURS =
      List.of(
          Wire.MIGRATED_TIMESTAMP,
          Wire.MIGRATED_RESOURCES,
          Wire.MIGRATED_KEKS,
          Wire.MIGRATED_KEKS_SINCE);

  private Annotations() {}
}
