package io.keyward.kms.ibm;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyward.kms.ibm.IamLogin.Token;
import io.keyward.kms.remote.ClockSkew;
import io.keyward.kms.remote.Deadline;
import io.keyward.kms.remote.Envelope;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KekReport.State;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Wraps with a root key of Key Protect or Hyper Protect Crypto Services: one call for each wrap
/// and unwrap. The version in the key id is the one that the wrap answer names.
final class IbmProvider implements KmsProvider {
  private static final String WHAT = "the key service";

  private final Http http;
  private final Tokens tokens;
  private final KeyList list;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();

  IbmProvider(Http http, Tokens tokens, KeyList list, InstantSource clock) {
    this.http = http;
    this.tokens = tokens;
    this.list = list;
    this.clock = clock;
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    RootKey key = list.keys().getFirst();
    Secret oneTimeKey = Envelope.newOneTimeKey(random);
    String plaintext = Base64.getEncoder().encodeToString(oneTimeKey.reveal());
    Map<?, ?> answer = act(key, "wrap", "plaintext", plaintext, Deadline.after(timeout));
    String ciphertext = IbmJson.text(answer, "ciphertext");
    String version = IbmJson.text(answer, "keyVersion", "id");
    if (ciphertext.isEmpty() || version.isEmpty()) {
      throw new KmsException(Kind.INTERNAL, "the key service gave no usable answer");
    }
    return Envelope.seal(key.kek(), version, ciphertext.getBytes(US_ASCII), oneTimeKey, dek);
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    Envelope envelope = Envelope.read(wrapped);
    // Only keys of the configuration are ever asked, whatever etcd says.
    RootKey key =
        list.keys().stream()
            .filter(each -> envelope.belongsTo(each.kek(), wrapped))
            .findFirst()
            .orElseThrow(() ->
                new KmsException(
                    Kind.UNKNOWN_KEK, "the key_id is not one of the configured root keys"));
    envelope.check(key.kek(), wrapped);
    String ciphertext = new String(envelope.wrappedKey(), US_ASCII);
    Map<?, ?> answer = act(key, "unwrap", "ciphertext", ciphertext, Deadline.after(timeout));
    try {
      var oneTimeKey = new Secret(Base64.getDecoder().decode(IbmJson.text(answer, "plaintext")));
      return envelope.open(wrapped, oneTimeKey);
    } catch (IllegalArgumentException e) {
      throw new KmsException(Kind.INTERNAL, "the key service gave no usable answer");
    }
  }

  private Map<?, ?> act(RootKey key, String action, String field, String value, Deadline end) {
    String body = IbmJson.keyAction(field, value, List.of("keyward", key.kek().key()));
    Http.Answer answer =
        authorized(
            request ->
                request
                    .uri(key.at("actions/" + action))
                    .header("content-type", "application/vnd.ibm.kms.key_action+json")
                    .POST(BodyPublishers.ofString(body)),
            key,
            end);
    if (answer.status() / 100 != 2) {
      throw problem(answer);
    }
    return answer.body();
  }

  private interface Filling {
    HttpRequest.Builder fill(HttpRequest.Builder request);
  }

  /// A token that is refused costs one log-in and one more call, not an outage.
  private Http.Answer authorized(Filling filling, RootKey key, Deadline deadline) {
    Token token = tokens.get(deadline);
    Http.Answer answer = http.send(WHAT, request(filling, key, token), deadline);
    if (answer.status() == 401) {
      tokens.drop(token);
      answer = http.send(WHAT, request(filling, key, tokens.get(deadline)), deadline);
    }
    return answer;
  }

  private static HttpRequest request(Filling filling, RootKey key, Token token) {
    var request =
        HttpRequest.newBuilder()
            .header("accept", "application/json")
            .header("authorization", "Bearer " + token.value())
            .header("bluemix-instance", key.instance());
    if (!key.correlationId().isEmpty()) {
      request.header("correlation-id", key.correlationId());
    }
    return filling.fill(request).build();
  }

  private static KmsException problem(Http.Answer answer) {
    Map<String, String> details = Http.details(answer);
    return switch (answer.code()) {
      case "UNPROCESSABLE_CIPHERTEXT_ERR" ->
          new KmsException(Kind.CORRUPT, "the key service cannot open the ciphertext", details);
      case "KEY_ACTION_INVALID_STATE_ERR", "KEY_INVALID_STATE_ERR" ->
          new KmsException(Kind.DENIED, "the root key is not active: enable it", details);
      case "KEY_EXPIRED_ERR" -> new KmsException(Kind.DENIED, "the root key has expired", details);
      case "KEY_DELETED_ERR" ->
          new KmsException(
              Kind.UNKNOWN_KEK, "the root key was deleted: restore it within 30 days", details);
      case "KEY_NOT_FOUND_ERR" ->
          new KmsException(Kind.UNKNOWN_KEK, "there is no such root key in this instance", details);
      default ->
          answer.status() == 404
              ? new KmsException(
                  Kind.UNKNOWN_KEK, "there is no such root key in this instance", details)
              : answer.status() == 422
                  ? new KmsException(
                      Kind.CORRUPT, "the key service cannot open the ciphertext", details)
                  : Http.refused(WHAT, answer);
    };
  }

  @Override
  public KekReport report(Duration timeout) {
    RootKey key = list.keys().getFirst();
    Http.Answer answer =
        authorized(request -> request.uri(key.at("metadata")).GET(), key, Deadline.after(timeout));
    if (answer.status() != 200) {
      throw problem(answer);
    }
    Object resource = answer.body().get("resources");
    var warnings = new ArrayList<String>();
    State state =
        switch (IbmJson.text(resource, "state")) {
          case "1" -> State.ENABLED;
          case "0", "2" -> State.DISABLED;
          case "3" -> State.EXPIRED;
          case "5" -> State.PENDING_DELETION;
          default -> State.UNKNOWN;
        };
    if (IbmJson.text(resource, "dualAuthDelete", "keySetForDeletion").equals("true")) {
      state = State.PENDING_DELETION;
      warnings.add(
          "the root key is set for deletion by one of two admins: unset it while data depends on"
              + " it");
    }
    ClockSkew.warning(answer.date(), clock.instant()).ifPresent(warnings::add);
    return new KekReport(
        state, instant(IbmJson.text(resource, "expirationDate")), tokens.until(), warnings);
  }

  private static Optional<Instant> instant(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  @Override
  public boolean blocks() {
    return true;
  }

  @Override
  public void close() {
    http.close();
  }
}
