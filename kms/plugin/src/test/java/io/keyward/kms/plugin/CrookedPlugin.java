package io.keyward.kms.plugin;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.keyward.kms.proto.v2.DecryptRequest;
import io.keyward.kms.proto.v2.DecryptResponse;
import io.keyward.kms.proto.v2.EncryptRequest;
import io.keyward.kms.proto.v2.EncryptResponse;
import io.keyward.kms.proto.v2.KeyManagementServiceGrpc.KeyManagementServiceImplBase;
import io.keyward.kms.proto.v2.StatusRequest;
import io.keyward.kms.proto.v2.StatusResponse;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// A plugin that does everything right but one thing.
final class CrookedPlugin extends KeyManagementServiceImplBase implements AutoCloseable {
  /// The one thing.
  enum Fault {
    NONE,
    UNHEALTHY,
    WRONG_VERSION,
    EMPTY_KEY_ID,
    LONG_KEY_ID,
    OTHER_KEY_ID,
    ENCRYPT_FAILS,
    LONG_CIPHERTEXT,
    BAD_ANNOTATION,
    DECRYPT_FAILS,
    OTHER_BYTES,
    SLOW_ENCRYPT
  }

  static final Duration SLOWNESS = Duration.ofMillis(700);

  private final Fault fault;
  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Server server;

  CrookedPlugin(Path socket, Fault fault) throws IOException {
    this.fault = fault;
    server =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(loop)
            .workerEventLoopGroup(loop)
            .withChildOption(io.netty.channel.ChannelOption.SO_KEEPALIVE, null)
            .addService(this)
            .build()
            .start();
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusResponse> to) {
    String keyId =
        switch (fault) {
          case EMPTY_KEY_ID -> "";
          case LONG_KEY_ID -> "x".repeat(1024);
          default -> "key";
        };
    answer(
        to,
        StatusResponse.newBuilder()
            .setVersion(fault == Fault.WRONG_VERSION ? "v1beta1" : "v2")
            .setHealthz(fault == Fault.UNHEALTHY ? "the HSM is on fire" : "ok")
            .setKeyId(keyId)
            .build());
  }

  @Override
  public void encrypt(EncryptRequest request, StreamObserver<EncryptResponse> to) {
    if (fault == Fault.ENCRYPT_FAILS) {
      to.onError(Status.PERMISSION_DENIED.withDescription("no").asRuntimeException());
      return;
    }
    if (fault == Fault.SLOW_ENCRYPT) {
      sleep();
    }
    var answer =
        EncryptResponse.newBuilder()
            .setKeyId(fault == Fault.OTHER_KEY_ID ? "other" : "key")
            .setCiphertext(
                fault == Fault.LONG_CIPHERTEXT
                    ? ByteString.copyFrom(new byte[1024])
                    : request.getPlaintext());
    if (fault == Fault.BAD_ANNOTATION) {
      answer.putAnnotations("Not A Domain", ByteString.EMPTY);
    }
    answer(to, answer.build());
  }

  @Override
  public void decrypt(DecryptRequest request, StreamObserver<DecryptResponse> to) {
    if (fault == Fault.DECRYPT_FAILS) {
      to.onError(Status.NOT_FOUND.withDescription("gone").asRuntimeException());
      return;
    }
    ByteString plaintext =
        fault == Fault.OTHER_BYTES ? ByteString.copyFromUtf8("other") : request.getCiphertext();
    answer(to, DecryptResponse.newBuilder().setPlaintext(plaintext).build());
  }

  private static <T> void answer(StreamObserver<T> to, T answer) {
    to.onNext(answer);
    to.onCompleted();
  }

  private static void sleep() {
    try {
      Thread.sleep(SLOWNESS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
    var _ = loop.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
  }
}
