package io.keyward.etcd.live;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.keyward.etcd.proto.AuthGrpc;
import io.keyward.etcd.proto.AuthenticateRequest;
import io.keyward.etcd.proto.KVGrpc;
import io.keyward.etcd.proto.RangeRequest;
import io.keyward.etcd.proto.RangeResponse;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// One member of etcd. Connects and logs in with the first question.
final class Member implements AutoCloseable {
  private static final int TIMEOUT_SECONDS = 30;

  /// Eight times what a page should have. Beyond it the page is asked for again with fewer keys.
  private static final int MAX_ANSWER = 64 << 20;

  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

  private final Access access;
  private final boolean tls;
  private final ManagedChannel channel;
  private KVGrpc.@Nullable KVBlockingStub kv;

  Member(Access access, Access.Endpoint endpoint) {
    this.access = access;
    this.tls = endpoint.tls();
    this.channel = connect(access, endpoint);
  }

  private static ManagedChannel connect(Access access, Access.Endpoint endpoint) {
    var builder = NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port());
    if (!endpoint.tls()) {
      return builder.usePlaintext().build();
    }
    try {
      SslContextBuilder tls =
          GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
      access.authority().ifPresent(file -> tls.trustManager(file.toFile()));
      if (access.certificate().isPresent()) {
        var client = ClientIdentity.read(access.certificate().orElseThrow());
        tls.keyManager(client.key(), client.chain());
      }
      return builder.sslContext(tls.build()).build();
    } catch (SSLException | ClientIdentity.Unusable | IllegalArgumentException e) {
      throw new LiveEtcdException(
          LiveEtcdException.Kind.CERTIFICATE_FILE, String.valueOf(e.getMessage()), e);
    }
  }

  RangeResponse range(RangeRequest request) {
    boolean loggedIn = kv != null && access.user().isPresent();
    try {
      return ask(request);
    } catch (StatusRuntimeException e) {
      if (!loggedIn || e.getStatus().getCode() != Status.Code.UNAUTHENTICATED) {
        throw Failures.of(e, tls);
      }
    }
    // etcd forgets its tokens when it restarts.
    kv = null;
    try {
      return ask(request);
    } catch (StatusRuntimeException e) {
      throw Failures.of(e, tls);
    }
  }

  private RangeResponse ask(RangeRequest request) {
    return stub().withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS).range(request);
  }

  private KVGrpc.KVBlockingStub stub() {
    KVGrpc.KVBlockingStub known = kv;
    if (known == null) {
      var plain = KVGrpc.newBlockingStub(channel).withMaxInboundMessageSize(MAX_ANSWER);
      known =
          access
              .user()
              .map(user ->
                  plain.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token(user))))
              .orElse(plain);
      kv = known;
    }
    return known;
  }

  private Metadata token(Access.User user) {
    var request =
        AuthenticateRequest.newBuilder().setName(user.name()).setPassword(user.password()).build();
    String token =
        AuthGrpc.newBlockingStub(channel)
            .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .authenticate(request)
            .getToken();
    var headers = new Metadata();
    headers.put(TOKEN, token);
    return headers;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
