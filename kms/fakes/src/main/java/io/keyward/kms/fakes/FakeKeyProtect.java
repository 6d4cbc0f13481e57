package io.keyward.kms.fakes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kms.fakes.FakeHttps.Answer;
import io.keyward.kms.fakes.FakeHttps.Request;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/// A fake of IBM Key Protect (and so of Hyper Protect Crypto Services, which has the same
/// interface) and of the token endpoint of IBM's IAM: wrap, unwrap, key metadata, API keys and
/// trusted profiles.
public final class FakeKeyProtect extends FakeServer {
  private static final Pattern ACTION =
      Pattern.compile("/api/v2/keys/([^/]+)/(actions/wrap|actions/unwrap|metadata)");
  private static final String API_KEY = "urn:ibm:params:oauth:grant-type:apikey";
  private static final String PROFILE = "urn:ibm:params:oauth:grant-type:cr-token";

  private record Version(UUID id, SecretKey key) {}

  private static final class RootKey {
    final String instance;
    final List<Version> versions = new CopyOnWriteArrayList<>();
    volatile int state = 1; // active
    volatile boolean setForDeletion;
    volatile String expires = "";

    RootKey(String instance) {
      this.instance = instance;
    }
  }

  private final SecureRandom random = new SecureRandom();
  private final ConcurrentMap<String, RootKey> keys = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Boolean> tokens = new ConcurrentHashMap<>();
  private volatile String apiKey = "";
  private volatile String computeToken = "";
  private volatile int tokenLife = 3600;
  private volatile boolean mayUnwrap = true;

  private FakeKeyProtect(Path directory) {
    super(directory);
  }

  public static FakeKeyProtect start(Path directory) {
    return new FakeKeyProtect(directory);
  }

  /// Makes a root key in an instance and returns its id.
  public String createKey(String instance) {
    String id = UUID.randomUUID().toString();
    keys.put(id, new RootKey(instance));
    rotate(id);
    return id;
  }

  public void rotate(String key) {
    known(key).versions.add(new Version(UUID.randomUUID(), newKey()));
  }

  /// 1 active, 2 suspended, 3 deactivated, 5 destroyed.
  public void state(String key, int state) {
    known(key).state = state;
  }

  public void setForDeletion(String key) {
    known(key).setForDeletion = true;
  }

  public void expires(String key, Instant when) {
    known(key).expires = when.toString();
  }

  /// The API key that IAM knows from now on.
  public void apiKey(String value) {
    apiKey = value;
  }

  /// The token of the compute resource that may act as the trusted profile.
  public void computeToken(String value) {
    computeToken = value;
  }

  public void tokenLife(int seconds) {
    tokenLife = seconds;
  }

  public void forgetTokens() {
    tokens.clear();
  }

  public void mayUnwrap(boolean may) {
    mayUnwrap = may;
  }

  private RootKey known(String key) {
    return Objects.requireNonNull(keys.get(key), "no such key");
  }

  @Override
  Answer answer(Request request) {
    if (request.path().equals("/identity/token")) {
      return login(request.form());
    }
    Matcher matcher = ACTION.matcher(request.path());
    if (!matcher.matches()) {
      return error(404, "NOT_FOUND_ERR", "no such resource");
    }
    if (!tokens.containsKey(request.header("authorization").replace("Bearer ", ""))) {
      return error(401, "UNAUTHORIZED_ERR", "The user does not have access");
    }
    RootKey key = keys.get(matcher.group(1));
    if (key == null || !key.instance.equals(request.header("bluemix-instance"))) {
      return error(404, "KEY_NOT_FOUND_ERR", "Key does not exist");
    }
    return switch (matcher.group(2)) {
      case "actions/wrap" -> usable(key, () -> wrap(key, request.json()));
      case "actions/unwrap" ->
          mayUnwrap
              ? usable(key, () -> unwrap(key, request.json()))
              : error(403, "UNAUTHORIZED_ERR", "The user does not have access");
      default -> metadata(key);
    };
  }

  private Answer login(Map<String, String> form) {
    boolean known =
        switch (form.getOrDefault("grant_type", "")) {
          case API_KEY -> !apiKey.isEmpty() && apiKey.equals(form.get("apikey"));
          case PROFILE ->
              !computeToken.isEmpty()
                  && computeToken.equals(form.get("cr_token"))
                  && form.getOrDefault("profile_id", "").startsWith("Profile-");
          default -> false;
        };
    if (!known) {
      ObjectNode body = FakeHttps.JSON.createObjectNode();
      body.put("errorCode", "BXNIM0415E").put("errorMessage", "Provided API key was not found.");
      return new Answer(400, Map.of(), body);
    }
    String token = "fake-iam-" + UUID.randomUUID();
    tokens.put(token, true);
    ObjectNode body = FakeHttps.JSON.createObjectNode();
    body.put("access_token", token).put("refresh_token", "not_supported");
    body.put("token_type", "Bearer").put("expires_in", tokenLife);
    body.put("expiration", Instant.now().getEpochSecond() + tokenLife).put("scope", "ibm openid");
    return Answer.ok(body);
  }

  private interface Action {
    Answer run() throws GeneralSecurityException;
  }

  private static Answer usable(RootKey key, Action action) {
    if (key.state == 5) {
      return error(410, "KEY_DELETED_ERR", "Key has already been deleted");
    }
    if (key.state != 1) {
      return error(409, "KEY_ACTION_INVALID_STATE_ERR", "Key is not in a valid state");
    }
    try {
      return action.run();
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return error(422, "UNPROCESSABLE_CIPHERTEXT_ERR", "The provided ciphertext is invalid");
    }
  }

  private Answer wrap(RootKey key, JsonNode body) throws GeneralSecurityException {
    Version version = key.versions.getLast();
    byte[] nonce = new byte[12];
    random.nextBytes(nonce);
    byte[] plain = Base64.getDecoder().decode(body.path("plaintext").asText());
    byte[] sealed = crypt(Cipher.ENCRYPT_MODE, version.key(), nonce, body.path("aad"), plain);
    ObjectNode inner = FakeHttps.JSON.createObjectNode();
    inner.put("ciphertext", Base64.getEncoder().encodeToString(sealed));
    inner.put("iv", Base64.getEncoder().encodeToString(nonce));
    inner.put("version", "4.0.0").put("handle", version.id().toString());
    ObjectNode answer = FakeHttps.JSON.createObjectNode();
    answer.put("ciphertext", Base64.getEncoder().encodeToString(inner.toString().getBytes(UTF_8)));
    answer.putObject("keyVersion").put("id", version.id().toString());
    return Answer.ok(answer);
  }

  private static Answer unwrap(RootKey key, JsonNode body) throws GeneralSecurityException {
    JsonNode inner;
    try {
      inner = FakeHttps.JSON.readTree(Base64.getDecoder().decode(body.path("ciphertext").asText()));
    } catch (java.io.IOException e) {
      throw new IllegalArgumentException("not a ciphertext", e);
    }
    var handles = new ArrayList<>(key.versions);
    handles.removeIf(each -> !each.id().toString().equals(inner.path("handle").asText()));
    if (handles.isEmpty()) {
      throw new GeneralSecurityException("wrapped by another key");
    }
    Version version = handles.getFirst();
    byte[] sealed = Base64.getDecoder().decode(inner.path("ciphertext").asText());
    byte[] nonce = Base64.getDecoder().decode(inner.path("iv").asText());
    byte[] plain = crypt(Cipher.DECRYPT_MODE, version.key(), nonce, body.path("aad"), sealed);
    ObjectNode answer = FakeHttps.JSON.createObjectNode();
    answer.put("plaintext", Base64.getEncoder().encodeToString(plain));
    answer.putObject("keyVersion").put("id", version.id().toString());
    return Answer.ok(answer);
  }

  private static byte[] crypt(int mode, SecretKey key, byte[] nonce, JsonNode aad, byte[] data)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(128, Arrays.copyOf(nonce, 12)));
    cipher.updateAAD(aad.toString().getBytes(UTF_8));
    return cipher.doFinal(data);
  }

  private static Answer metadata(RootKey key) {
    ObjectNode body = FakeHttps.JSON.createObjectNode();
    body.putObject("metadata").put("collectionTotal", 1);
    ObjectNode resource = body.putArray("resources").addObject();
    resource.put("state", key.state).put("extractable", false);
    if (!key.expires.isEmpty()) {
      resource.put("expirationDate", key.expires);
    }
    resource
        .putObject("dualAuthDelete")
        .put("enabled", true)
        .put("keySetForDeletion", key.setForDeletion);
    resource.putObject("keyVersion").put("id", key.versions.getLast().id().toString());
    return Answer.ok(body);
  }

  private static Answer error(int status, String code, String message) {
    ObjectNode body = FakeHttps.JSON.createObjectNode();
    body.putObject("metadata")
        .put("collectionType", "application/vnd.ibm.kms.error+json")
        .put("collectionTotal", 1);
    ObjectNode resource = body.putArray("resources").addObject();
    resource.put("errorMsg", "Refused: Please see `reasons` for more details (" + code + ")");
    resource
        .putArray("reasons")
        .addObject()
        .put("code", code)
        .put("message", message)
        .put("status", status);
    return new Answer(status, Map.of(), body);
  }

  private static SecretKey newKey() {
    try {
      var generator = KeyGenerator.getInstance("AES");
      generator.init(256);
      return generator.generateKey();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES", e);
    }
  }
}
