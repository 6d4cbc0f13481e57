package io.keyward.kms.client;

import com.google.protobuf.ByteString;
import io.keyward.kms.proto.v2.DecryptRequest;
import io.keyward.kms.proto.v2.EncryptRequest;
import io.keyward.kms.proto.v2.EncryptResponse;
import io.keyward.kms.proto.v2.KeyManagementServiceGrpc;
import io.keyward.kms.proto.v2.KeyManagementServiceGrpc.KeyManagementServiceBlockingStub;
import io.keyward.kms.proto.v2.StatusRequest;
import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;
import java.util.HashMap;
import java.util.concurrent.TimeUnit;

/// A KMS v2 client over one connection, as an API server has it. Thread-safe; calls block.
public final class KmsV2Client implements AutoCloseable {
  private final UnixChannel channel;

  public KmsV2Client(PluginEndpoint endpoint) {
    channel = new UnixChannel(endpoint);
  }

  public PluginStatus status(Duration timeout) {
    return UnixChannel.call(() -> {
      var answer = stub(timeout).status(StatusRequest.getDefaultInstance());
      return new PluginStatus(answer.getVersion(), answer.getHealthz(), answer.getKeyId());
    });
  }

  /// Asks the plugin to wrap `plaintext`.
  ///
  /// @throws IllegalArgumentException if the answer breaks a limit of the protocol
  public Wrapped encrypt(Secret plaintext, String uid, Duration timeout) {
    return UnixChannel.call(() -> {
      var request =
          EncryptRequest.newBuilder()
              .setPlaintext(ByteString.copyFrom(plaintext.reveal()))
              .setUid(uid)
              .build();
      return wrapped(stub(timeout).encrypt(request));
    });
  }

  public Secret decrypt(Wrapped wrapped, String uid, Duration timeout) {
    return UnixChannel.call(() -> {
      var request =
          DecryptRequest.newBuilder()
              .setCiphertext(ByteString.copyFrom(wrapped.ciphertext().toArray()))
              .setKeyId(wrapped.kek().value())
              .setUid(uid);
      wrapped
          .annotations()
          .entries()
          .forEach(
              (name, value) -> request.putAnnotations(name, ByteString.copyFrom(value.toArray())));
      return new Secret(stub(timeout).decrypt(request.build()).getPlaintext().toByteArray());
    });
  }

  private static Wrapped wrapped(EncryptResponse answer) {
    var annotations = new HashMap<String, Bytes>();
    answer
        .getAnnotationsMap()
        .forEach((name, value) -> annotations.put(name, Bytes.copyOf(value.toByteArray())));
    return new Wrapped(
        new KekId(answer.getKeyId()),
        Bytes.copyOf(answer.getCiphertext().toByteArray()),
        new Annotations(annotations));
  }

  private KeyManagementServiceBlockingStub stub(Duration timeout) {
    return KeyManagementServiceGrpc.newBlockingStub(channel.channel())
        .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    channel.close();
  }
}
