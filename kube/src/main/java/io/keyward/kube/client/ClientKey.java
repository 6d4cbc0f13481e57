package io.keyward.kube.client;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/// The client library must be told what kind of key a kubeconfig holds.
public final class ClientKey {
  private ClientKey() {}

  static String algorithm(Config config) throws IOException {
    String pem = "";
    if (config.getClientKeyData() != null) {
      pem =
          new String(
              Base64.getMimeDecoder().decode(config.getClientKeyData()), StandardCharsets.US_ASCII);
    } else if (config.getClientKeyFile() != null) {
      pem = Files.readString(Path.of(config.getClientKeyFile()));
    }
    return pem.contains("BEGIN EC PRIVATE KEY") || isEc(pem) ? "EC" : "RSA";
  }

  private static boolean isEc(String pem) {
    String body = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
    try {
      var spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body));
      return !body.isEmpty() && KeyFactory.getInstance("EC").generatePrivate(spec) != null;
    } catch (GeneralSecurityException | IllegalArgumentException _) {
      return false;
    }
  }
}
