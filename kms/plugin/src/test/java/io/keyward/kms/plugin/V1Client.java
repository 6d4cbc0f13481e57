package io.keyward.kms.plugin;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.keyward.kms.proto.v1beta1.DecryptRequest;
import io.keyward.kms.proto.v1beta1.EncryptRequest;
import io.keyward.kms.proto.v1beta1.KeyManagementServiceGrpc;
import io.keyward.kms.proto.v1beta1.KeyManagementServiceGrpc.KeyManagementServiceBlockingStub;
import io.keyward.kms.proto.v1beta1.VersionRequest;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// An API server of the old protocol.
final class V1Client implements AutoCloseable {
  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ManagedChannel channel;

  V1Client(Path socket) {
    channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .eventLoopGroup(loop)
            .withOption(io.netty.channel.ChannelOption.SO_KEEPALIVE, null)
            .overrideAuthority("localhost")
            .usePlaintext()
            .build();
  }

  private KeyManagementServiceBlockingStub stub() {
    return KeyManagementServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  String version() {
    var answer = stub().version(VersionRequest.newBuilder().setVersion("v1beta1").build());
    return answer.getVersion() + " " + answer.getRuntimeName();
  }

  String failureOfVersion() {
    try {
      return version();
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode().name();
    }
  }

  byte[] encrypt(byte[] plain) {
    var request = EncryptRequest.newBuilder().setPlain(ByteString.copyFrom(plain)).build();
    return stub().encrypt(request).getCipher().toByteArray();
  }

  byte[] decrypt(byte[] cipher) {
    var request = DecryptRequest.newBuilder().setCipher(ByteString.copyFrom(cipher)).build();
    return stub().decrypt(request).getPlain().toByteArray();
  }

  String failureOfDecrypt(byte[] cipher) {
    try {
      return new String(decrypt(cipher), java.nio.charset.StandardCharsets.UTF_8);
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode().name();
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
    var _ = loop.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
  }
}
