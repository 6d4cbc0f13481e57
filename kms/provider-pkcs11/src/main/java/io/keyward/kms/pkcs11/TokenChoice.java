package io.keyward.kms.pkcs11;

import java.util.Optional;

/// Which token is meant: by its label, its serial number, or both.
record TokenChoice(Optional<String> label, Optional<String> serial) {
  boolean isEmpty() {
    return label.isEmpty() && serial.isEmpty();
  }

  boolean accepts(TokenName token) {
    return label.filter(one -> !one.equals(token.label())).isEmpty()
        && serial.filter(one -> !one.equals(token.serial())).isEmpty();
  }

  String text() {
    return label.orElse("") + serial.map(one -> " (serial number " + one + ")").orElse("");
  }
}
