package io.keyward.kms.client;

import com.google.protobuf.ByteString;
import io.keyward.kms.proto.v1beta1.DecryptRequest;
import io.keyward.kms.proto.v2.KeyManagementServiceGrpc;
import io.keyward.kms.proto.v2.StatusRequest;
import io.keyward.kms.spi.Secret;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// Opens wrapped DEKs as they were found in storage, by KMS v2 or v1beta1, whoever wrote them.
///
/// Unlike [KmsV2Client] it checks no limits: what is stored was made by any plugin of any time, and
/// whether it can be opened is for its plugin to say. Thread-safe; calls block.
public final class StoredDekClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final UnixChannel channel;

  public StoredDekClient(PluginEndpoint endpoint) {
    channel = new UnixChannel(endpoint);
  }

  public Secret openV2(byte[] ciphertext, String keyId, Map<String, byte[]> annotations) {
    var request =
        io.keyward.kms.proto.v2.DecryptRequest.newBuilder()
            .setCiphertext(ByteString.copyFrom(ciphertext))
            .setKeyId(keyId)
            .setUid(UUID.randomUUID().toString());
    annotations.forEach((name, value) -> request.putAnnotations(name, ByteString.copyFrom(value)));
    return UnixChannel.call(
        () -> new Secret(v2().decrypt(request.build()).getPlaintext().toByteArray()));
  }

  public Secret openV1(byte[] cipher) {
    var request =
        DecryptRequest.newBuilder()
            .setVersion("v1beta1")
            .setCipher(ByteString.copyFrom(cipher))
            .build();
    return UnixChannel.call(() ->
        new Secret(
            io.keyward.kms.proto.v1beta1.KeyManagementServiceGrpc.newBlockingStub(channel.channel())
                .withDeadlineAfter(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)
                .decrypt(request)
                .getPlain()
                .toByteArray()));
  }

  /// The version that the plugin would wrap with now. A plugin of the old protocol has no such
  /// call.
  public String currentKeyId() {
    return UnixChannel.call(() -> v2().status(StatusRequest.getDefaultInstance()).getKeyId());
  }

  private KeyManagementServiceGrpc.KeyManagementServiceBlockingStub v2() {
    return KeyManagementServiceGrpc.newBlockingStub(channel.channel())
        .withDeadlineAfter(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    channel.close();
  }
}
