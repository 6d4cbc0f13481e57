package io.keyward.kms.aws;

import io.keyward.kms.remote.ClockSkew;
import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.kms.model.DataKeySpec;
import software.amazon.awssdk.services.kms.model.DecryptResponse;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyResponse;

/// Wraps with a data key that AWS KMS makes for each DEK.
///
/// Why not with `Encrypt`: its answer does not say which key material was used, so the key id would
/// have to come from a second call, and could be wrong during a rotation. The answers of
/// `GenerateDataKey` and `Decrypt` do say it. It is one call either way.
final class AwsProvider implements KmsProvider {
  static final String NAME = "aws";

  /// Stands for the key material where the KMS does not name it.
  static final String UNNAMED = "unnamed";

  private final AwsKeyName configured;
  private final Map<String, String> context;
  private final Regions regions;
  private final RenewableCredentials credentials;
  private final AtomicReference<Optional<AwsKeyName>> pinned;
  private final SecureRandom random = new SecureRandom();
  private volatile boolean unnamedMaterial;

  AwsProvider(
      AwsKeyName configured,
      Map<String, String> context,
      Regions regions,
      RenewableCredentials credentials) {
    this.configured = configured;
    this.context = Map.copyOf(context);
    this.regions = regions;
    this.credentials = credentials;
    this.pinned =
        new AtomicReference<>(
            configured.isKeyArn()
                ? Optional.of(configured.in(regions.home().name()))
                : Optional.empty());
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    String name = pinned.get().orElse(configured).value();
    GenerateDataKeyResponse answer =
        regions
            .home()
            .call(
                "kms:GenerateDataKey",
                timeout,
                client ->
                    client.generateDataKey(request ->
                        request
                            .keyId(name)
                            .keySpec(DataKeySpec.AES_256)
                            .encryptionContext(context)));
    mustHave(answer.keyId(), answer.plaintext(), answer.ciphertextBlob());
    AwsKeyName key = pin(answer.keyId());
    String material = material(answer.keyMaterialId());
    unnamedMaterial = material.equals(UNNAMED);
    KekId kek = KekId.of(NAME, key.identity(), material);
    byte[] plainKey = answer.plaintext().asByteArrayUnsafe();
    try {
      var nonce = new byte[12];
      random.nextBytes(nonce);
      Bytes dataKey = Bytes.copyOf(answer.ciphertextBlob().asByteArrayUnsafe());
      var envelope = DataKeyEnvelope.seal(dek, kek, material, dataKey, plainKey, nonce);
      return new Wrapped(kek, envelope.encode(), Annotations.NONE);
    } finally {
      Arrays.fill(plainKey, (byte) 0);
    }
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    if (!wrapped.annotations().entries().isEmpty()) {
      throw new KmsException(Kind.CORRUPT, "the annotations do not belong to this key_id");
    }
    DataKeyEnvelope envelope = DataKeyEnvelope.decode(wrapped.ciphertext());
    // Before the call where possible: what belongs to another key costs AWS nothing.
    pinned.get().ifPresent(key -> check(wrapped.kek(), key, envelope.material()));
    DecryptResponse answer = decrypt(envelope.dataKey(), timeout);
    mustHave(answer.keyId(), answer.plaintext());
    byte[] plainKey = answer.plaintext().asByteArrayUnsafe();
    try {
      check(wrapped.kek(), pin(answer.keyId()), envelope.material());
      String used = material(answer.keyMaterialId());
      if (!used.equals(UNNAMED) && !used.equals(envelope.material())) {
        throw new KmsException(
            Kind.CORRUPT,
            "the ciphertext was created with other key material than its key_id names");
      }
      return envelope.open(wrapped.kek(), plainKey);
    } finally {
      Arrays.fill(plainKey, (byte) 0);
    }
  }

  private static void mustHave(@Nullable Object... parts) {
    for (Object part : parts) {
      if (part == null) {
        throw new KmsException(Kind.INTERNAL, "AWS KMS gave no usable answer");
      }
    }
  }

  /// The key is always the configured one: what is stored never chooses it.
  private DecryptResponse decrypt(Bytes dataKey, Duration timeout) {
    AwsKeyName key = pinned.get().orElse(configured);
    return regions.first(
        timeout,
        (region, limit) ->
            region.call(
                "kms:Decrypt",
                limit,
                client ->
                    client.decrypt(request ->
                        request
                            .keyId(key.in(region.name()).value())
                            .ciphertextBlob(SdkBytes.fromByteArray(dataKey.toArray()))
                            .encryptionContext(context))));
  }

  private static void check(KekId kek, AwsKeyName key, String material) {
    if (!kek.equals(KekId.of(NAME, key.identity(), material))) {
      throw new KmsException(
          Kind.UNKNOWN_KEK,
          "this key_id does not belong to the configured key",
          Map.of("key_id", kek.value()));
    }
  }

  /// From the first answer on, the key is the one that answered. An alias that is pointed elsewhere
  /// later is not followed; [#report] warns of it.
  private AwsKeyName pin(String answered) {
    AwsKeyName key = parsed(answered).in(regions.home().name());
    Optional<AwsKeyName> before = pinned.get();
    if (before.isEmpty() && pinned.compareAndSet(before, Optional.of(key))) {
      return key;
    }
    if (!pinned.get().orElseThrow().identity().equals(key.identity())) {
      throw new KmsException(
          Kind.UNAVAILABLE, "another key answered than the one in use", Map.of("key", answered));
    }
    return key;
  }

  private static AwsKeyName parsed(String arn) {
    try {
      return new AwsKeyName(arn);
    } catch (IllegalArgumentException e) {
      throw new KmsException(Kind.INTERNAL, "AWS KMS answered with a key name of odd form", e);
    }
  }

  private static String material(@Nullable String answered) {
    return answered == null || answered.isEmpty() ? UNNAMED : answered;
  }

  @Override
  public KekReport report(Duration timeout) {
    var facts =
        regions
            .home()
            .call(
                "kms:DescribeKey",
                timeout,
                client -> client.describeKey(request -> request.keyId(configured.value())));
    String date = facts.sdkHttpResponse().firstMatchingHeader("Date").orElse("");
    return AwsReport.of(
        configured,
        pinned.get(),
        facts.keyMetadata(),
        unnamedMaterial,
        credentials.until(),
        ClockSkew.warning(date, Instant.now()));
  }

  @Override
  public boolean blocks() {
    return true;
  }

  @Override
  public void close() {
    regions.close();
  }
}
