package io.keyward.kms.fakes;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.MGF1ParameterSpec;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;

/// The versions of one key of the fake key vault: RSA, or AES as only a managed HSM has it.
final class FakeVaultKeys {
  private static final SecureRandom RANDOM = new SecureRandom();

  /// Made once: an RSA key takes long, and only keys of one test must differ.
  private static final List<KeyPair> RSA = Stream.generate(FakeVaultKeys::rsa).limit(8).toList();

  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final OAEPParameterSpec OAEP_256 =
      new OAEPParameterSpec(
          "SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);

  static final class Version {
    final String id = HexFormat.of().formatHex(random(16));
    final Instant created = Instant.now();
    final Key wrapping;
    final Key unwrapping;
    volatile boolean enabled = true;
    volatile Optional<Instant> expires = Optional.empty();

    Version(Key wrapping, Key unwrapping) {
      this.wrapping = wrapping;
      this.unwrapping = unwrapping;
    }
  }

  final boolean symmetric;
  final List<Version> versions = new CopyOnWriteArrayList<>();

  FakeVaultKeys(boolean symmetric) {
    this.symmetric = symmetric;
    rotate();
  }

  void rotate() {
    if (symmetric) {
      try {
        var generator = KeyGenerator.getInstance("AES");
        generator.init(256);
        Key key = generator.generateKey();
        versions.add(new Version(key, key));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every JDK has AES", e);
      }
    } else {
      KeyPair pair = RSA.get(Math.floorMod(NEXT.getAndIncrement(), RSA.size()));
      versions.add(new Version(pair.getPublic(), pair.getPrivate()));
    }
  }

  /// The newest version for an empty name, as the service does it, enabled or not.
  Optional<Version> version(String name) {
    return name.isEmpty()
        ? Optional.of(versions.getLast())
        : versions.stream().filter(each -> each.id.equals(name)).findFirst();
  }

  String algorithm() {
    return symmetric ? "A256KW" : "RSA-OAEP-256";
  }

  byte[] wrap(Version version, byte[] plain) throws GeneralSecurityException {
    Cipher cipher = cipher(Cipher.WRAP_MODE, version.wrapping);
    return cipher.wrap(new SecretKeySpec(plain, "AES"));
  }

  byte[] unwrap(Version version, byte[] sealed) throws GeneralSecurityException {
    Cipher cipher = cipher(Cipher.UNWRAP_MODE, version.unwrapping);
    return cipher.unwrap(sealed, "AES", Cipher.SECRET_KEY).getEncoded();
  }

  private Cipher cipher(int mode, Key key) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(symmetric ? "AES/KW/NoPadding" : "RSA/ECB/OAEPPadding");
    if (symmetric) {
      cipher.init(mode, key);
    } else {
      cipher.init(mode, key, OAEP_256);
    }
    return cipher;
  }

  private static KeyPair rsa() {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has RSA", e);
    }
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    RANDOM.nextBytes(bytes);
    return bytes;
  }
}
