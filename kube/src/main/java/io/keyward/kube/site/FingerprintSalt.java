package io.keyward.kube.site;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.object.SecretJson;
import io.keyward.core.model.key.DataValue;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.NotWatched;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.Component;
import java.security.SecureRandom;
import java.util.Base64;

/// The salt of configuration fingerprints, which are public and cover credentials.
final class FingerprintSalt {
  private static final String NAME = "keyward-fingerprint-salt";
  private static final String KEY = "salt";
  private static final int BYTES = 32;
  private static final int FEWEST = 16;

  private final Api api;
  private final String all;
  private final KubeSite.Access access;

  FingerprintSalt(Api api, Component component, KubeSite.Access access) {
    this.api = api;
    this.all = component.managed() + "/secrets";
    this.access = access;
  }

  /// Creates it where a live look finds none and may write.
  DataValue read(Reads reads) {
    String path = all + "/" + NAME;
    ObjectNode secret = reads.get(path).orElseGet(() -> create(reads, path));
    DataValue salt = SecretJson.read(secret).data().get(KEY);
    if (salt == null || salt.size() < FEWEST) {
      throw new ClusterFailure(
          "secret "
              + NAME
              + " has no salt of at least "
              + FEWEST
              + " bytes; delete it, and the operator creates it again");
    }
    return salt;
  }

  private ObjectNode create(Reads reads, String path) {
    if (reads != api) {
      throw new NotWatched(path);
    }
    var random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    ObjectNode fresh = ObjectMeta.fresh("v1", "Secret", NAME);
    fresh.putObject("data").put(KEY, Base64.getEncoder().encodeToString(random));
    // Without a salt no preflight ran yet, so any will do for a reader.
    return access == KubeSite.Access.ACTS ? api.create(all, fresh) : fresh;
  }
}
