package io.keyward.kms.gcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import io.keyward.kms.remote.RemoteKek;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.util.regex.Pattern;

/// The key that was configured, by its resource name and never by a version of it.
record CloudKey(String name) {
  private static final String PART = "[a-zA-Z0-9._:-]{1,100}";
  private static final Pattern NAME =
      Pattern.compile(
          "projects/%s/locations/%s/keyRings/%s/cryptoKeys/%s".formatted(PART, PART, PART, PART));

  CloudKey {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "must be projects/…/locations/…/keyRings/…/cryptoKeys/…, without a version");
    }
  }

  RemoteKek kek() {
    return new RemoteKek(GcpProviderFactory.NAME, name);
  }

  /// What Cloud KMS binds to every ciphertext. The version cannot be in it: nobody knows the
  /// version before Cloud KMS has answered.
  ByteString additionalData() {
    return ByteString.copyFrom("keyward 1 " + name, UTF_8);
  }

  /// The version in the resource name that an encrypt answer has.
  String versionIn(String answered) {
    String prefix = name + "/cryptoKeyVersions/";
    String version = answered.startsWith(prefix) ? answered.substring(prefix.length()) : "";
    if (!version.matches("[0-9]{1,18}")) {
      throw new KmsException(Kind.INTERNAL, "Cloud KMS answered for another key");
    }
    return version;
  }
}
