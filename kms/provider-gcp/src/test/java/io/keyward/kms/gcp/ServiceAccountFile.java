package io.keyward.kms.gcp;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;

/// Credential files in Google's form that lead to the fake login.
final class ServiceAccountFile {
  private ServiceAccountFile() {}

  static Path write(Path file, URI login) throws IOException {
    var json = new JsonObject();
    json.addProperty("type", "service_account");
    json.addProperty("project_id", "p");
    json.addProperty("private_key_id", "1");
    json.addProperty("private_key", privateKey());
    json.addProperty("client_email", "keyward@p.iam.gserviceaccount.com");
    json.addProperty("client_id", "1");
    json.addProperty("token_uri", login + "/token");
    return Files.writeString(file, json.toString());
  }

  static Path writeFederation(Path file, URI login, Path token) throws IOException {
    var json = new JsonObject();
    json.addProperty("type", "external_account");
    json.addProperty(
        "audience",
        "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/w/providers/k");
    json.addProperty("subject_token_type", "urn:ietf:params:oauth:token-type:jwt");
    json.addProperty("token_url", login + "/v1/token");
    var source = new JsonObject();
    source.addProperty("file", token.toString());
    json.add("credential_source", source);
    return Files.writeString(file, json.toString());
  }

  private static String privateKey() {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      byte[] der = generator.generateKeyPair().getPrivate().getEncoded();
      String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
      return "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has RSA", e);
    }
  }
}
