package io.keyward.codec;

import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.kms.ReferenceData;
import java.util.Map;
import java.util.TreeMap;

/// Data keys that carry what was copied from referenced objects: a prefix, then `name_dataKey`.
final class ReferenceKeys {
  private ReferenceKeys() {}

  static Decoded<ReferenceData> decode(Map<String, DataValue> data, String prefix, String where) {
    var entries = new TreeMap<String, DataValue>();
    for (Map.Entry<String, DataValue> entry : data.entrySet()) {
      if (entry.getKey().startsWith(prefix)) {
        String flat = entry.getKey().substring(prefix.length());
        if (!isWellFormed(flat) || entry.getValue().size() == 0) {
          return Decoded.bad(where, "has malformed data key " + entry.getKey());
        }
        entries.put(flat, entry.getValue());
      }
    }
    return Decoded.good(new ReferenceData(entries));
  }

  /// A name and a data key with an underscore between.
  static boolean isWellFormed(String flat) {
    int border = flat.indexOf('_');
    return border > 0 && border < flat.length() - 1;
  }
}
