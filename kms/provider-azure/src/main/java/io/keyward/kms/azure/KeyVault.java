package io.keyward.kms.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.core.http.rest.Response;
import com.azure.core.util.Context;
import com.azure.security.keyvault.keys.KeyClient;
import com.azure.security.keyvault.keys.KeyClientBuilder;
import com.azure.security.keyvault.keys.cryptography.CryptographyClient;
import com.azure.security.keyvault.keys.cryptography.CryptographyClientBuilder;
import com.azure.security.keyvault.keys.cryptography.models.WrapResult;
import com.azure.security.keyvault.keys.models.KeyProperties;
import com.azure.security.keyvault.keys.models.KeyVaultKey;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The SDK's clients for one key: no retries, nothing done locally, nothing remembered of the key.
final class KeyVault {
  /// Each version that is unwrapped has a client. More than a key has in years, and bounded.
  private static final int MAX_CLIENTS = 64;

  private final VaultKey key;
  private final RedirectingHttpClient wire;
  private final FreshCredential credential;
  private final KeyClient keys;
  private final Map<String, CryptographyClient> clients =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, CryptographyClient> eldest) {
              return size() > MAX_CLIENTS;
            }
          });

  KeyVault(VaultKey key, RedirectingHttpClient wire, FreshCredential credential) {
    this.key = key;
    this.wire = wire;
    this.credential = credential;
    this.keys =
        new KeyClientBuilder()
            .vaultUrl(key.vault().toString())
            .credential(credential)
            .httpClient(wire)
            .retryOptions(noRetries())
            .buildClient();
  }

  /// Wraps with `version`, or with the newest one for an empty text; the answer says with which.
  WrapResult wrap(String version, byte[] plain) {
    WrapResult answer = client(version).wrapKey(key.algorithm(), plain);
    if (answer.getKeyId() == null || answer.getEncryptedKey() == null) {
      throw unusable();
    }
    return answer;
  }

  byte[] unwrap(String version, byte[] sealed) {
    byte[] opened = client(version).unwrapKey(key.algorithm(), sealed).getKey();
    if (opened == null) {
      throw unusable();
    }
    return opened;
  }

  private static KmsException unusable() {
    return new KmsException(Kind.INTERNAL, "the key vault gave no usable answer");
  }

  /// What the vault says of a version of the key.
  ///
  /// @param date when it said so, as it wrote it
  record Facts(KeyProperties properties, String date) {}

  /// Of `version`, or of the newest one for an empty text.
  Facts facts(String version) {
    Response<KeyVaultKey> answer =
        keys.getKeyWithResponse(key.name(), version.isEmpty() ? null : version, Context.NONE);
    String date = answer.getHeaders().getValue(HttpHeaderName.DATE);
    return new Facts(answer.getValue().getProperties(), date == null ? "" : date);
  }

  Optional<KeyProperties> newestEnabled(OffsetDateTime now) {
    return keys.listPropertiesOfKeyVersions(key.name()).stream()
        .filter(each -> Boolean.TRUE.equals(each.isEnabled()))
        .filter(each -> each.getExpiresOn() == null || each.getExpiresOn().isAfter(now))
        .filter(each -> each.getNotBefore() == null || !each.getNotBefore().isAfter(now))
        .filter(each -> each.getCreatedOn() != null)
        .max(Comparator.comparing(KeyProperties::getCreatedOn));
  }

  /// Logs in again before the next call.
  void relogin() {
    credential.forget();
    clients.clear(); // each of them keeps a token
  }

  private CryptographyClient client(String version) {
    return clients.computeIfAbsent(
        version,
        name ->
            new CryptographyClientBuilder()
                .keyIdentifier(key.id(name))
                .credential(credential)
                .httpClient(wire)
                .retryOptions(noRetries())
                // Else the SDK would fetch the public key once and wrap with it for ever.
                .disableKeyCaching()
                .buildClient());
  }

  static RetryOptions noRetries() {
    return new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1)));
  }
}
