package io.keyward.kms.fakes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kms.fakes.FakeHttps.Answer;
import io.keyward.kms.fakes.FakeHttps.Request;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// A fake of the token endpoint of Microsoft Entra ID and of the metadata service of Azure
/// machines: client secrets, client assertions (made by a certificate or given to a workload) and
/// managed identities. It does not check the signature of an assertion.
final class FakeEntra {
  final Set<String> tokens = ConcurrentHashMap.newKeySet();
  volatile String clientSecret = "";
  volatile String workloadToken = "";
  volatile boolean trustsCertificates;
  volatile boolean hasManagedIdentity;

  Answer clientCredentials(Map<String, String> form) {
    String assertion = form.getOrDefault("client_assertion", "");
    boolean known =
        matches(clientSecret, form.get("client_secret"))
            || matches(workloadToken, assertion)
            || (trustsCertificates && assertion.split("\\.", -1).length == 3);
    if (!known || !"client_credentials".equals(form.get("grant_type"))) {
      ObjectNode body = FakeHttps.JSON.createObjectNode();
      body.put("error", "invalid_client");
      body.put("error_description", "AADSTS7000215: Invalid client secret provided.");
      body.putArray("error_codes").add(7000215);
      return new Answer(401, Map.of(), body);
    }
    ObjectNode body = token();
    body.put("ext_expires_in", 3600).put("expires_in", 3600);
    return Answer.ok(body);
  }

  Answer managedIdentity(Request request) {
    if (!hasManagedIdentity || !request.header("Metadata").equals("true")) {
      ObjectNode body = FakeHttps.JSON.createObjectNode();
      body.put("error", "invalid_request").put("error_description", "Identity not found");
      return new Answer(400, Map.of(), body);
    }
    ObjectNode body = token();
    body.put("expires_in", "3600").put("resource", "https://vault.azure.net");
    body.put("expires_on", Long.toString(Instant.now().getEpochSecond() + 3600));
    return Answer.ok(body);
  }

  private ObjectNode token() {
    String token = "fake-entra-" + UUID.randomUUID();
    tokens.add(token);
    ObjectNode body = FakeHttps.JSON.createObjectNode();
    return body.put("token_type", "Bearer").put("access_token", token);
  }

  private static boolean matches(String known, @org.jspecify.annotations.Nullable String given) {
    return !known.isEmpty() && known.equals(given);
  }
}
