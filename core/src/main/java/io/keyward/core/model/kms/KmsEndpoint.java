package io.keyward.core.model.kms;

import io.keyward.core.model.key.KeySerial;

/// The `kms` provider of an EncryptionConfiguration without its name.
public record KmsEndpoint(String apiVersion, String endpoint, String timeout) {
  public static final String API_VERSION = "v2";
  public static final String TIMEOUT = "10s";

  /// The directory of sockets of plugins that Keyward runs. No directory that users have for their
  /// own plugins: a pod could not have both at one path.
  public static final String DIRECTORY = "/var/run/keyward-kms";

  /// Each key has a socket of its own, so two keys can never be mixed up by their role.
  public static KmsEndpoint of(KeySerial serial) {
    return new KmsEndpoint(
        API_VERSION, "unix://" + DIRECTORY + "/kms-" + serial + ".sock", TIMEOUT);
  }

  /// The same socket with another time limit.
  public KmsEndpoint within(String other) {
    return new KmsEndpoint(apiVersion, endpoint, other);
  }
}
