package io.keyward.kms.pkcs11;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.security.AuthProvider;
import java.security.ProviderException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import javax.security.auth.login.LoginException;

/// A login at a token, and the versions of the KEK that were found there.
final class HsmSession {
  private record Found(long handle, String label, long order) {}

  private final AuthProvider provider;
  private final TokenLink link;
  private final Map<KekId, HsmKey> keys;
  private final long madeAt = System.nanoTime();

  private HsmSession(AuthProvider provider, TokenLink link, Map<KekId, HsmKey> keys) {
    this.provider = provider;
    this.link = link;
    this.keys = keys;
  }

  static HsmSession open(Pkcs11Settings settings, RefusedPins refused) {
    Cryptoki module = Cryptoki.of(settings.module());
    long slot = settings.slot().orElseGet(() -> TokenFinder.slotOf(module, settings.token()));
    AuthProvider provider = new HsmLogin(settings.module(), settings.pinFile(), refused).open(slot);
    return read(provider, new TokenLink(module, slot), settings);
  }

  /// The same login, and the keys that are there now.
  HsmSession refreshed(Pkcs11Settings settings) {
    return read(provider, link, settings);
  }

  private static HsmSession read(AuthProvider provider, TokenLink link, Pkcs11Settings settings) {
    try {
      List<Found> found =
          link.inSession((module, session) -> find(module, session, settings.key()));
      var keys = new HashMap<KekId, HsmKey>();
      for (HsmKey key : keys(link, found, settings.keyWrap())) {
        keys.put(key.id(), key);
      }
      return new HsmSession(provider, link, keys);
    } catch (ProviderException e) {
      throw new KmsException(Kind.UNAVAILABLE, "the keys of the token cannot be read", e);
    }
  }

  private static List<Found> find(Cryptoki module, long session, KeyChoice choice) {
    var found = new ArrayList<Found>();
    for (long handle : module.aesKeys(session)) {
      String label = new String(module.attribute(session, handle, Cryptoki.CKA_LABEL), UTF_8);
      OptionalLong order = choice.order(label, module.attribute(session, handle, Cryptoki.CKA_ID));
      order.ifPresent(number -> found.add(new Found(handle, label, number)));
    }
    return found;
  }

  private static List<HsmKey> keys(TokenLink link, List<Found> found, boolean keyWrap) {
    return found.stream()
        .<HsmKey>map(each ->
            keyWrap
                ? KeyWrapKey.of(link, each.handle(), each.order())
                : GcmKey.of(link, each.handle(), each.order()))
        .toList();
  }

  Optional<HsmKey> key(KekId id) {
    return Optional.ofNullable(keys.get(id));
  }

  /// Which of two keys with one label wraps would be left to chance, on each node anew. What they
  /// wrapped can be told apart.
  Optional<HsmKey> newest() {
    Optional<HsmKey> newest = keys.values().stream().max(Comparator.comparingLong(HsmKey::order));
    newest.ifPresent(key -> {
      if (keys.values().stream().filter(other -> other.order() == key.order()).count() > 1) {
        throw new KmsException(
            Kind.UNKNOWN_KEK,
            "two keys of the token have the label or id of the newest version",
            Map.of(KmsException.HINT, "give each version of the key a label or id of its own"));
      }
    });
    return newest;
  }

  int versions() {
    return keys.size();
  }

  long ageNanos() {
    return System.nanoTime() - madeAt;
  }

  void close() {
    link.close();
    try {
      provider.logout();
    } catch (LoginException | ProviderException _) {
      // It is gone already, which is why it is closed.
    }
  }
}
