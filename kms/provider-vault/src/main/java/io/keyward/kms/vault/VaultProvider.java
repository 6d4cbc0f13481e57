package io.keyward.kms.vault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyward.kms.remote.Deadline;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.vault.VaultHttp.Call;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/// Wraps with a key of the transit engine. At most one request to Vault for each wrap and unwrap
/// that succeeds; one more only when a token was refused.
///
/// The ciphertext is stored as Vault writes it, so that it can be opened by hand.
final class VaultProvider implements KmsProvider {
  private static final Duration UPKEEP = Duration.ofSeconds(1);

  /// Requests to the transit engine at one time. More calls at one time share requests.
  static final int WIDTH = 8;

  private final KeyPath path;
  private final String namespace;
  private final VaultHttp http;
  private final Sessions sessions;
  private final TransitQueue transit;
  private final boolean certificateIsTheLogin;
  private final Thread upkeep;

  /// What follows the DEK or its ciphertext in a request. The context is for derived keys; others
  /// ignore it.
  private final byte[] endWithData;

  private final byte[] endOfKeyAlone;

  /// The one that wrapped last. Learned from Vault: only it knows the newest version and the type
  /// of the key.
  private volatile TransitKeyVersion last;

  VaultProvider(
      KeyPath path, String namespace, VaultHttp http, Sessions sessions, boolean byCertificate) {
    this.path = path;
    this.namespace = namespace;
    this.http = http;
    this.sessions = sessions;
    this.transit = new TransitQueue(WIDTH, this::send);
    this.certificateIsTheLogin = byCertificate;
    String bound = path.associatedData();
    String context = "\",\"context\":\"" + bound + "\"";
    endOfKeyAlone = (context + "}").getBytes(US_ASCII);
    endWithData = (context + ",\"associated_data\":\"" + bound + "\"}").getBytes(US_ASCII);
    last = TransitKeyVersion.of(path, 1, Binding.ASSOCIATED_DATA);
    upkeep = Thread.ofVirtual().name("vault-upkeep").start(this::keepUp);
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    var deadline = Deadline.before(timeout);
    Binding tried = last.binding();
    Answer answer = transit.call(path.encrypt(), encryptBody(dek, tried), deadline);
    if (tried == Binding.ASSOCIATED_DATA && answer.says("non-AEAD")) {
      tried = Binding.KEY_ALONE;
      answer = transit.call(path.encrypt(), encryptBody(dek, tried), deadline);
    }
    if (!answer.isOk()) {
      throw Refusal.ofTransit(answer, path.encrypt());
    }
    return wrapped(answer, tried);
  }

  /// Never without a ciphertext, whatever the status says.
  private Wrapped wrapped(Answer answer, Binding used) {
    TransitText text =
        TransitText.parse(answer.data().text("ciphertext"))
            .orElseThrow(() -> new KmsException(Kind.INTERNAL, "Vault gave no ciphertext"));
    // The ciphertext decides. An answer that disagrees with itself is no answer.
    long said = answer.data().number("key_version").orElse((long) text.version());
    Bytes ciphertext = Bytes.utf8(text.text());
    if (said != text.version() || ciphertext.size() > Wrapped.MAX_CIPHERTEXT) {
      throw new KmsException(Kind.INTERNAL, "Vault gave a ciphertext that cannot be stored");
    }
    TransitKeyVersion version = last;
    if (version.number() != text.version() || version.binding() != used) {
      version = TransitKeyVersion.of(path, text.version(), used);
      last = version;
    }
    return new Wrapped(version.id(), ciphertext, version.annotations());
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    TransitText text =
        TransitText.parse(wrapped.ciphertext().toArray())
            .orElseThrow(
                () -> new KmsException(Kind.CORRUPT, "the ciphertext was not made by Vault"));
    Binding used = binding(wrapped, text.version());
    var deadline = Deadline.before(timeout);
    Answer answer = transit.call(path.decrypt(), decryptBody(text, used), deadline);
    if (!answer.isOk()) {
      throw Refusal.ofTransit(answer, path.decrypt());
    }
    return opened(answer);
  }

  /// How `wrapped` is tied to its key, if everything in it belongs to that version of the key.
  private Binding binding(Wrapped wrapped, int version) {
    TransitKeyVersion known = last;
    if (known.number() == version
        && known.id().equals(wrapped.kek())
        && known.annotations().equals(wrapped.annotations())) {
      return known.binding();
    }
    if (!path.version(version).equals(wrapped.kek())) {
      throw new KmsException(
          Kind.UNKNOWN_KEK,
          "the key_id is not the one of this key and of the ciphertext's version",
          Map.of(
              "key_id",
              wrapped.kek().value(),
              KmsException.HINT,
              "another key made it; a key that moved needs the setting identity"));
    }
    return Binding.of(wrapped.annotations(), version)
        .orElseThrow(
            () -> new KmsException(Kind.CORRUPT, "the annotations do not belong to this key_id"));
  }

  private static Secret opened(Answer answer) {
    String plaintext = answer.data().text("plaintext");
    try {
      byte[] dek = Base64.getDecoder().decode(plaintext);
      if (dek.length > 0) {
        var secret = new Secret(dek);
        Arrays.fill(dek, (byte) 0);
        return secret;
      }
    } catch (IllegalArgumentException _) {
      // as bad as none
    }
    throw new KmsException(Kind.INTERNAL, "Vault gave no plaintext");
  }

  private byte[] encryptBody(Secret dek, Binding used) {
    byte[] plain = dek.reveal();
    byte[] encoded = Base64.getEncoder().encode(plain);
    Arrays.fill(plain, (byte) 0);
    byte[] body = body("plaintext", encoded, used);
    Arrays.fill(encoded, (byte) 0);
    return body;
  }

  private byte[] decryptBody(TransitText text, Binding used) {
    return body("ciphertext", text.text().getBytes(US_ASCII), used);
  }

  /// Base64 and Vault's prefix need no escaping.
  private byte[] body(String name, byte[] value, Binding used) {
    byte[] end = used == Binding.ASSOCIATED_DATA ? endWithData : endOfKeyAlone;
    var out = ByteBuffer.allocate(name.length() + value.length + end.length + 5);
    out.put(("{\"" + name + "\":\"").getBytes(US_ASCII)).put(value).put(end);
    return out.array();
  }

  /// One request; and one more with another token where Vault refuses the first one's.
  private Answer send(String to, byte[] body, Deadline deadline) {
    Session session = sessions.current(deadline);
    Answer answer = http.send(call(to, session, Optional.of(body)), deadline);
    if (answer.status() == Answer.FORBIDDEN) {
      Optional<Session> other = sessions.insteadOf(session, deadline);
      if (other.isPresent()) {
        answer = http.send(call(to, other.get(), Optional.of(body)), deadline);
        if (answer.status() == Answer.FORBIDDEN) {
          sessions.refusedAgain();
        }
      }
    }
    return answer;
  }

  private Call call(String to, Session session, Optional<byte[]> body) {
    return new Call(to, namespace, session.token(), body);
  }

  @Override
  public KekReport report(Duration timeout) {
    var deadline = Deadline.before(timeout);
    Session session = sessions.current(deadline);
    Answer key = http.send(call(path.read(), session, Optional.empty()), deadline);
    if (!key.isOk() && key.status() != Answer.FORBIDDEN) {
      throw key.status() == Answer.NOT_FOUND && !key.says("no handler")
          ? new KmsException(Kind.UNKNOWN_KEK, "Vault has no such key", Map.of("path", path.read()))
          : Refusal.ofTransit(key, path.read());
    }
    String paths = "{\"paths\":[\"" + path.encrypt() + "\",\"" + path.decrypt() + "\"]}";
    var ask = call("sys/capabilities-self", session, Optional.of(paths.getBytes(ISO_8859_1)));
    Answer capabilities = http.send(ask, deadline);
    return KeyFacts.report(
        path,
        key.isOk() ? Optional.of(key.data()) : Optional.empty(),
        capabilities.data(),
        sessions.end(),
        sessions.clockWarning(key));
  }

  private void keepUp() {
    try {
      while (true) {
        Thread.sleep(UPKEEP);
        if (http.reload() && certificateIsTheLogin) {
          sessions.forget();
        }
        sessions.upkeep();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean blocks() {
    return true;
  }

  /// How many calls wait for others to end.
  int waitingCalls() {
    return transit.waiting();
  }

  /// How many connections to Vault were opened, those for logins included.
  long connectionsOpened() {
    return http.opened();
  }

  @Override
  public void close() {
    upkeep.interrupt();
    http.close();
  }
}
