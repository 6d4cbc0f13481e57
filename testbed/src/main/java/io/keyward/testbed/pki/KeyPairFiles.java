package io.keyward.testbed.pki;

import java.nio.file.Path;

/// A certificate and its private key, both PEM.
public record KeyPairFiles(Path certificate, Path key) {
  static KeyPairFiles in(Path directory, String name) {
    return new KeyPairFiles(directory.resolve(name + ".crt"), directory.resolve(name + ".key"));
  }
}
