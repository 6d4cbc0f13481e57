package io.keyward.kms.ibm;

import io.keyward.kms.remote.RemoteKek;
import java.net.URI;
import java.util.regex.Pattern;

/// Where one root key is found.
///
/// Its identity is instance and id, not the address: the public and the private endpoint of a
/// region lead to the same key.
///
/// @param correlationId sent with every call, so that IBM's logs can be searched; may be empty
record RootKey(URI url, String instance, String id, String correlationId) {
  /// Ids, never aliases: an alias can be pointed at another key, and then nothing could be opened.
  private static final Pattern ID = Pattern.compile("[0-9a-fA-F-]{8,64}");

  RootKey {
    if (!"https".equals(url.getScheme()) || url.getHost() == null) {
      throw new IllegalArgumentException("url must begin with https://");
    }
    if (!ID.matcher(instance).matches()) {
      throw new IllegalArgumentException("the instance must be given by its id (a UUID)");
    }
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("the root key must be given by its id, not by an alias");
    }
    if (!correlationId.matches("[A-Za-z0-9._-]{0,255}")) {
      throw new IllegalArgumentException("the correlation id has characters it must not have");
    }
  }

  RemoteKek kek() {
    return new RemoteKek(IbmProviderFactory.NAME, instance + "/" + id);
  }

  URI at(String path) {
    return url.resolve("/api/v2/keys/" + id + "/" + path);
  }
}
