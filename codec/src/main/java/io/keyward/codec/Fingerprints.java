package io.keyward.codec;

import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ReferenceData;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Eight characters for a whole configuration. Keyed, because they are published and credentials go
/// into them; length-delimited, so that no two configurations feed the same bytes.
public final class Fingerprints {
  private static final int SIX_BYTES_ARE_EIGHT_CHARACTERS = 6;

  private Fingerprints() {}

  /// The print of what a plugin would be started with.
  ///
  /// @param salt random, one per cluster, at least 16 bytes
  public static Fingerprint of(
      KmsPluginConfig plugin, ReferenceData secrets, ReferenceData configMaps, DataValue salt) {
    if (salt.size() < 16) {
      throw new IllegalArgumentException("the salt must have at least 16 bytes");
    }
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(salt.reveal(), "HmacSHA256"));
      feed(mac, plugin.spec().type());
      feed(mac, Integer.toString(plugin.spec().fields().size()));
      plugin
          .spec()
          .fields()
          .forEach((path, value) -> {
            feed(mac, path);
            feed(mac, value);
          });
      feed(mac, secrets);
      feed(mac, configMaps);
      byte[] print = Arrays.copyOf(mac.doFinal(), SIX_BYTES_ARE_EIGHT_CHARACTERS);
      return new Fingerprint(Base64.getUrlEncoder().encodeToString(print));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("HMAC-SHA-256 is part of every JDK", e);
    }
  }

  private static void feed(Mac mac, ReferenceData data) {
    feed(mac, Integer.toString(data.entries().size()));
    data.entries()
        .forEach((name, value) -> {
          feed(mac, name);
          feed(mac, value.reveal());
        });
  }

  private static void feed(Mac mac, String text) {
    feed(mac, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void feed(Mac mac, byte[] bytes) {
    mac.update(ByteBuffer.allocate(4).putInt(0, bytes.length));
    mac.update(bytes);
  }
}
