package io.keyward.kms.fakes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kms.fakes.FakeHttps.Answer;
import io.keyward.kms.fakes.FakeHttps.Request;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// A fake of Google's token endpoints: a signed assertion of a service account, or the exchange of
/// a workload's token (workload identity federation). It does not check the assertion's signature.
public final class FakeGoogleLogin extends FakeServer {
  private final Set<String> tokens = ConcurrentHashMap.newKeySet();
  private volatile boolean trusts = true;
  private volatile String workloadToken = "";

  private FakeGoogleLogin(Path directory) {
    super(directory);
  }

  public static FakeGoogleLogin start(Path directory) {
    return new FakeGoogleLogin(directory);
  }

  public int logins() {
    return calls().size();
  }

  /// Whether `token` was given here and not forgotten.
  public boolean knows(String token) {
    return tokens.contains(token);
  }

  public void forgetTokens() {
    tokens.clear();
  }

  public void trust(boolean yes) {
    trusts = yes;
  }

  public void workloadToken(String value) {
    workloadToken = value;
  }

  @Override
  Answer answer(Request request) {
    Map<String, String> form = request.form();
    boolean known =
        switch (form.getOrDefault("grant_type", "")) {
          case "urn:ietf:params:oauth:grant-type:jwt-bearer" ->
              form.getOrDefault("assertion", "").split("\\.", -1).length == 3;
          case "urn:ietf:params:oauth:grant-type:token-exchange" ->
              !workloadToken.isEmpty() && workloadToken.equals(form.get("subject_token"));
          default -> false;
        };
    ObjectNode body = FakeHttps.JSON.createObjectNode();
    if (!known || !trusts) {
      body.put("error", "invalid_grant").put("error_description", "Invalid JWT Signature.");
      return new Answer(400, Map.of(), body);
    }
    String token = "fake-google-" + UUID.randomUUID();
    tokens.add(token);
    body.put("access_token", token).put("expires_in", 3600).put("token_type", "Bearer");
    body.put("issued_token_type", "urn:ietf:params:oauth:token-type:access_token");
    return Answer.ok(body);
  }
}
