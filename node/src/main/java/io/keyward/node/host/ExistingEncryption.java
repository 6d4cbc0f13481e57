package io.keyward.node.host;

import io.keyward.codec.ProviderKinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// An encryption configuration that was there before Keyward.
///
/// @param words kinds, resources and the path; nothing of any key
/// @param digest of its content, never reported: a key of somebody else may be easy to guess
public record ExistingEncryption(String words, String digest) {
  /// Whether anything depends on this file.
  ///
  /// @param shown the path as an administrator of the node knows it
  static Optional<ExistingEncryption> in(Path file, String shown) {
    byte[] content;
    try {
      content = Files.readAllBytes(file);
    } catch (IOException _) {
      return Optional.of(unknown("a configuration that the node agent cannot read", shown));
    }
    return ProviderKinds.existing(content)
        .map(kinds -> new ExistingEncryption(kinds + " in " + shown, Hex.sha256(content)));
  }

  static ExistingEncryption unknown(String what, String shown) {
    return new ExistingEncryption(what + " in " + shown, "");
  }
}
