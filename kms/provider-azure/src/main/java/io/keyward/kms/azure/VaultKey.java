package io.keyward.kms.azure;

import com.azure.security.keyvault.keys.cryptography.models.KeyWrapAlgorithm;
import io.keyward.kms.remote.RemoteKek;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The key that was configured.
///
/// @param vault the vault's own address, under which its key ids are known
/// @param pinned the version to wrap with; without one, the newest that is enabled
record VaultKey(URI vault, String name, Optional<String> pinned, KeyWrapAlgorithm algorithm) {
  private static final Pattern NAME = Pattern.compile("[0-9a-zA-Z-]{1,127}");
  private static final Pattern VERSION = Pattern.compile("[0-9a-f]{32}");

  VaultKey {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("a key name has letters, digits and dashes");
    }
    if (pinned.isPresent() && !VERSION.matcher(pinned.get()).matches()) {
      throw new IllegalArgumentException("a key version has 32 hexadecimal digits");
    }
  }

  RemoteKek kek() {
    return new RemoteKek(AzureProviderFactory.NAME, id(""));
  }

  /// The address of one version, or of the key for an empty one.
  String id(String version) {
    String key = "https://" + vault.getAuthority().toLowerCase(Locale.ROOT) + "/keys/" + name;
    return version.isEmpty() ? key : key + "/" + version;
  }

  /// The version in a key id that the vault answered with.
  String versionIn(String answered) {
    String prefix = id("") + "/";
    boolean ours = answered.toLowerCase(Locale.ROOT).startsWith(prefix.toLowerCase(Locale.ROOT));
    String version = ours ? answered.substring(prefix.length()) : "";
    if (!isVersion(version)) {
      throw new KmsException(Kind.INTERNAL, "the key vault answered for another key");
    }
    return version;
  }

  static boolean isVersion(String text) {
    return VERSION.matcher(text).matches();
  }
}
