package io.keyward.storage.kms;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.kms.proto.v2.DecryptRequest;
import io.keyward.kms.proto.v2.DecryptResponse;
import io.keyward.kms.proto.v2.KeyManagementServiceGrpc;
import io.keyward.kms.proto.v2.StatusRequest;
import io.keyward.kms.proto.v2.StatusResponse;
import io.keyward.storage.config.Provider.Version;
import io.keyward.storage.read.Unwrapper.Unwrapped;
import io.keyward.storage.read.WrappedDek;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PluginUnwrapperTest {
  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  @TempDir private Path directory;

  private @Nullable Server server;

  @BeforeEach
  void startPlugins() throws IOException {
    server =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(directory.resolve("kms.sock")))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(loop)
            .workerEventLoopGroup(loop)
            .withChildOption(ChannelOption.SO_KEEPALIVE, null)
            .addService(new Mirror())
            .addService(new OldMirror())
            .build()
            .start();
  }

  @AfterEach
  void stopPlugins() {
    if (server != null) {
      server.shutdownNow();
    }
    var _ = loop.shutdownGracefully();
  }

  @Test
  void sendsWhatIsStoredAndGetsTheDek() {
    try (var kms = unwrapper()) {
      var annotations = new TreeMap<>(Map.of("a.example.com", ByteView.utf8("x")));
      var wrapped = new WrappedDek("kms", Version.V2, ByteView.utf8("abc"), "kek-1", annotations);
      assertThat(kms.unwrap(wrapped)).isEqualTo(new Unwrapped.Dek(ByteView.utf8("abc kek-1 x")));
      assertThat(kms.currentKeyId("kms")).contains("kek-2");
    }
  }

  @Test
  void speaksTheOldProtocol() {
    try (var kms = unwrapper()) {
      assertThat(kms.unwrap(WrappedDek.v1("kms", ByteView.utf8("abc"))))
          .isEqualTo(new Unwrapped.Dek(ByteView.utf8("old abc")));
    }
  }

  @Test
  void refusalsAreAnswers() {
    try (var kms = unwrapper()) {
      assertThat(
              kms.unwrap(
                  new WrappedDek("kms", Version.V2, ByteView.utf8("a"), "gone", new TreeMap<>())))
          .isEqualTo(new Unwrapped.Failed("NOT_FOUND: no such KEK"));
      assertThat(kms.unwrap(WrappedDek.v1("other", ByteView.EMPTY)))
          .isInstanceOf(Unwrapped.Failed.class);
      assertThat(kms.currentKeyId("other")).isEmpty();
    }
  }

  @Test
  void nobodyListening() {
    try (var kms = new PluginUnwrapper(Map.of("kms", directory.resolve("nobody.sock")))) {
      assertThat(kms.unwrap(WrappedDek.v1("kms", ByteView.EMPTY)))
          .isInstanceOfSatisfying(
              Unwrapped.Failed.class,
              failed -> assertThat(failed.reason()).startsWith("UNAVAILABLE"));
    }
  }

  private PluginUnwrapper unwrapper() {
    return new PluginUnwrapper(Map.of("kms", directory.resolve("kms.sock")));
  }

  /// Answers with what it was asked.
  private static final class Mirror extends KeyManagementServiceGrpc.KeyManagementServiceImplBase {
    @Override
    public void decrypt(DecryptRequest request, StreamObserver<DecryptResponse> answer) {
      if (request.getKeyId().equals("gone")) {
        answer.onError(Status.NOT_FOUND.withDescription("no such KEK").asRuntimeException());
        return;
      }
      String text =
          request.getCiphertext().toStringUtf8()
              + " "
              + request.getKeyId()
              + " "
              + request.getAnnotationsOrDefault("a.example.com", ByteString.EMPTY).toStringUtf8();
      answer.onNext(
          DecryptResponse.newBuilder().setPlaintext(ByteString.copyFromUtf8(text)).build());
      answer.onCompleted();
    }

    @Override
    public void status(StatusRequest request, StreamObserver<StatusResponse> answer) {
      answer.onNext(StatusResponse.newBuilder().setKeyId("kek-2").build());
      answer.onCompleted();
    }
  }

  private static final class OldMirror
      extends io.keyward.kms.proto.v1beta1.KeyManagementServiceGrpc.KeyManagementServiceImplBase {
    @Override
    public void decrypt(
        io.keyward.kms.proto.v1beta1.DecryptRequest request,
        StreamObserver<io.keyward.kms.proto.v1beta1.DecryptResponse> answer) {
      String text = "old " + request.getCipher().toStringUtf8();
      answer.onNext(
          io.keyward.kms.proto.v1beta1.DecryptResponse.newBuilder()
              .setPlain(ByteString.copyFromUtf8(text))
              .build());
      answer.onCompleted();
    }
  }
}
