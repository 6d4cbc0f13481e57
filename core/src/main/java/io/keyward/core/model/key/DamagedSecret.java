package io.keyward.core.model.key;

import io.keyward.core.model.Problem;
import java.util.Optional;

/// A key secret that cannot be read. Its serial, if the name shows one, stays taken.
public record DamagedSecret(String name, Optional<KeySerial> serial, Problem problem) {}
