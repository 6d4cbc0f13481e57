package io.keyward.kms.gcp;

import com.google.protobuf.ByteString;
import com.google.protobuf.Int64Value;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.util.zip.CRC32C;

/// CRC32C, as Cloud KMS wants it: it shows that bytes changed on the way, in a proxy for example,
/// before anything is encrypted that nobody could open.
final class Checksum {
  private Checksum() {}

  static Int64Value of(ByteString bytes) {
    var crc = new CRC32C();
    crc.update(bytes.asReadOnlyByteBuffer());
    return Int64Value.of(crc.getValue());
  }

  static void check(boolean right) {
    if (!right) {
      throw new KmsException(
          Kind.UNAVAILABLE, "bytes were changed between here and Cloud KMS (CRC32C)");
    }
  }
}
