package io.keyward.kms.fakes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kms.fakes.FakeHttps.Answer;
import io.keyward.kms.fakes.FakeHttps.Request;
import io.keyward.kms.fakes.FakeVaultKeys.Version;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A fake of Azure Key Vault and Managed HSM (keys: get, list versions, wrap, unwrap), and of the
/// places where Azure gives tokens. It thinks it is `name`, wherever it listens.
public final class FakeKeyVault extends FakeServer {
  private static final Pattern OPERATION =
      Pattern.compile("/keys/([^/]+)/?([^/]*)/(wrapkey|unwrapkey)");
  private static final Pattern KEY = Pattern.compile("/keys/([^/]+)/?([^/]*)/?");

  private final String name;
  private final FakeEntra entra = new FakeEntra();
  private final ConcurrentMap<String, FakeVaultKeys> keys = new ConcurrentHashMap<>();
  private volatile boolean mayUnwrap = true;

  private FakeKeyVault(Path directory, String name) {
    super(directory);
    this.name = name;
  }

  /// Starts one without keys.
  ///
  /// @param name the vault's own address, `https://….vault.azure.net`
  public static FakeKeyVault start(Path directory, String name) {
    return new FakeKeyVault(directory, name);
  }

  public void createKey(String key) {
    keys.put(key, new FakeVaultKeys(false));
  }

  /// Only a managed HSM has these.
  public void createAesKey(String key) {
    keys.put(key, new FakeVaultKeys(true));
  }

  public void rotate(String key) {
    known(key).rotate();
  }

  /// The id of the newest version.
  public String newest(String key) {
    return known(key).versions.getLast().id;
  }

  public void enable(String key, String version, boolean enabled) {
    known(key).version(version).orElseThrow().enabled = enabled;
  }

  public void expires(String key, Instant when) {
    known(key).versions.getLast().expires = Optional.of(when);
  }

  public void clientSecret(String value) {
    entra.clientSecret = value;
  }

  public void workloadToken(String value) {
    entra.workloadToken = value;
  }

  public void trustCertificates() {
    entra.trustsCertificates = true;
  }

  public void giveManagedIdentity() {
    entra.hasManagedIdentity = true;
  }

  public void forgetTokens() {
    entra.tokens.clear();
  }

  public void mayUnwrap(boolean may) {
    mayUnwrap = may;
  }

  private FakeVaultKeys known(String key) {
    return Objects.requireNonNull(keys.get(key), "no such key");
  }

  @Override
  Answer answer(Request request) {
    if (request.path().endsWith("/oauth2/v2.0/token")) {
      return entra.clientCredentials(request.form());
    }
    if (request.path().equals("/metadata/identity/oauth2/token")) {
      return entra.managedIdentity(request);
    }
    if (!entra.tokens.contains(request.header("Authorization").replace("Bearer ", ""))) {
      return challenge();
    }
    Matcher operation = OPERATION.matcher(request.path());
    if (operation.matches() && request.method().equals("POST")) {
      return operate(operation.group(1), operation.group(2), operation.group(3), request.json());
    }
    Matcher key = KEY.matcher(request.path());
    if (!key.matches()) {
      return error(404, "NotFound", "");
    }
    FakeVaultKeys found = keys.get(key.group(1));
    if (found == null) {
      return error(404, "KeyNotFound", "");
    }
    return key.group(2).equals("versions")
        ? list(key.group(1), found)
        : found
            .version(key.group(2))
            .map(version -> Answer.ok(bundle(key.group(1), found, version)))
            .orElseGet(() -> error(404, "KeyNotFound", ""));
  }

  private Answer operate(String key, String versionName, String action, JsonNode body) {
    FakeVaultKeys found = keys.get(key);
    Optional<Version> version = found == null ? Optional.empty() : found.version(versionName);
    if (found == null || version.isEmpty()) {
      return error(404, "KeyNotFound", "");
    }
    if (!version.get().enabled) {
      return error(403, "Forbidden", "KeyDisabled");
    }
    if (action.equals("unwrapkey") && !mayUnwrap) {
      return error(403, "Forbidden", "ForbiddenByRbac");
    }
    if (!found.algorithm().equals(body.path("alg").asText())) {
      return error(400, "BadParameter", "");
    }
    try {
      byte[] value = Base64.getUrlDecoder().decode(body.path("value").asText());
      byte[] result =
          action.equals("wrapkey")
              ? found.wrap(version.get(), value)
              : found.unwrap(version.get(), value);
      ObjectNode answer = FakeHttps.JSON.createObjectNode();
      answer.put("kid", kid(key, version.get()));
      answer.put("value", Base64.getUrlEncoder().withoutPadding().encodeToString(result));
      return Answer.ok(answer);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return error(400, "BadParameter", "");
    }
  }

  private String kid(String key, Version version) {
    return name + "/keys/" + key + "/" + version.id;
  }

  private Answer list(String key, FakeVaultKeys found) {
    ObjectNode body = FakeHttps.JSON.createObjectNode();
    ArrayNode values = body.putArray("value");
    for (Version version : found.versions) {
      values.addObject().put("kid", kid(key, version)).set("attributes", attributes(version));
    }
    body.putNull("nextLink");
    return Answer.ok(body);
  }

  private ObjectNode bundle(String key, FakeVaultKeys found, Version version) {
    ObjectNode body = FakeHttps.JSON.createObjectNode();
    ObjectNode jwk = body.putObject("key");
    jwk.put("kid", kid(key, version)).put("kty", found.symmetric ? "oct-HSM" : "RSA");
    jwk.putArray("key_ops").add("wrapKey").add("unwrapKey");
    body.set("attributes", attributes(version));
    return body;
  }

  private static ObjectNode attributes(Version version) {
    ObjectNode attributes = FakeHttps.JSON.createObjectNode();
    attributes.put("enabled", version.enabled);
    // Milliseconds would not be whole seconds, and the service has no more.
    attributes.put("created", version.created.getEpochSecond());
    attributes.put("updated", version.created.getEpochSecond());
    version.expires.ifPresent(when -> attributes.put("exp", when.getEpochSecond()));
    attributes.put("recoveryLevel", "Recoverable+Purgeable").put("recoverableDays", 90);
    return attributes;
  }

  private Answer challenge() {
    String resource =
        name.contains("managedhsm") ? "https://managedhsm.azure.net" : "https://vault.azure.net";
    String challenge =
        "Bearer authorization=\"https://login.microsoftonline.com/fake-tenant\", resource=\""
            + resource
            + "\"";
    Answer answer = error(401, "Unauthorized", "");
    return new Answer(401, Map.of("WWW-Authenticate", challenge), answer.body());
  }

  private static Answer error(int status, String code, String inner) {
    ObjectNode body = FakeHttps.JSON.createObjectNode();
    ObjectNode error = body.putObject("error");
    error.put("code", code).put("message", "refused by the fake");
    if (!inner.isEmpty()) {
      error.putObject("innererror").put("code", inner);
    }
    return new Answer(status, Map.of(), body);
  }
}
