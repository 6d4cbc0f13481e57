package io.keyward.testkit.sim;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.ConfigSecretCodec;
import io.keyward.codec.Decoded;
import io.keyward.codec.EncryptionStatus;
import io.keyward.codec.EncryptionStatusCodec;
import io.keyward.codec.KeySecretCodec;
import io.keyward.core.model.Problem;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.kms.HealthReport;

/// What readers find of a written object: it is encoded and decoded as in a cluster. What is
/// written must be readable again.
final class StoredForm {
  private StoredForm() {}

  static Key of(String component, Key key) {
    return KeySecretCodec.decode(KeySecretCodec.encode(component, key))
        .orElseThrow(StoredForm::unreadable);
  }

  static boolean isReadable(String component, Key key) {
    return KeySecretCodec.decode(KeySecretCodec.encode(component, key)) instanceof Decoded.Good;
  }

  /// A configuration has no marks, no reasons, and no knowledge of secrets.
  static EncryptionLayout of(String component, EncryptionLayout layout) {
    return ConfigSecretCodec.decode(ConfigSecretCodec.encode(component, layout))
        .orElseThrow(StoredForm::unreadable)
        .orElse(EncryptionLayout.EMPTY);
  }

  /// In the status of an operator resource.
  static HealthReport of(HealthReport report) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.putArray("healthReports").add(EncryptionStatusCodec.encode(report));
    EncryptionStatus read = EncryptionStatusCodec.decode(status);
    if (!read.problems().isEmpty()) {
      throw unreadable(read.problems().getFirst());
    }
    return read.reports().getFirst();
  }

  private static RuntimeException unreadable(Problem problem) {
    return new IllegalStateException(problem.where() + " " + problem.what());
  }
}
