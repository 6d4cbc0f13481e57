package io.keyward.etcd.live;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.keyward.etcd.bytes.Bytes;
import io.keyward.etcd.proto.AuthGrpc;
import io.keyward.etcd.proto.AuthenticateRequest;
import io.keyward.etcd.proto.KVGrpc;
import io.keyward.etcd.proto.KeyValue;
import io.keyward.etcd.proto.RangeRequest;
import io.keyward.etcd.proto.RangeResponse;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/// Reads everything a running etcd holds, at one revision, page by page.
///
/// Reads are serializable: the member answers from its own data and the leader is spared. Pages are
/// asked for one after the other, so there is never more than one in memory or on the way.
public final class LiveEtcd implements AutoCloseable {
  private static final int PAGE = 1000;
  private static final int TIMEOUT_SECONDS = 30;

  /// A page of the largest values etcd takes by default would be 1.5 GiB; pages shrink long before.
  private static final int MAX_ANSWER = 256 << 20;

  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;
  private final KVGrpc.KVBlockingStub kv;

  public LiveEtcd(Access access) {
    channel = connect(access);
    var stub = KVGrpc.newBlockingStub(channel).withMaxInboundMessageSize(MAX_ANSWER);
    kv =
        access
            .user()
            .map(user ->
                stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token(user))))
            .orElse(stub);
  }

  private static ManagedChannel connect(Access access) {
    var builder =
        NettyChannelBuilder.forAddress(access.endpoint().host(), access.endpoint().port());
    if (!access.endpoint().tls()) {
      return builder.usePlaintext().build();
    }
    try {
      SslContextBuilder tls =
          GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
      access.authority().ifPresent(file -> tls.trustManager(file.toFile()));
      access
          .certificate()
          .ifPresent(known -> tls.keyManager(known.chain().toFile(), known.key().toFile()));
      return builder.sslContext(tls.build()).build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new LiveEtcdException(
          LiveEtcdException.Kind.CERTIFICATE, String.valueOf(e.getMessage()), e);
    }
  }

  private Metadata token(Access.User user) {
    var request =
        AuthenticateRequest.newBuilder().setName(user.name()).setPassword(user.password()).build();
    try {
      String token =
          AuthGrpc.newBlockingStub(channel)
              .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
              .authenticate(request)
              .getToken();
      var headers = new Metadata();
      headers.put(TOKEN, token);
      return headers;
    } catch (StatusRuntimeException e) {
      close();
      throw Failures.of(e);
    }
  }

  /// Shows every key with its value, in key order, and answers the revision they belong to.
  public Survey forEach(ValueVisitor visitor) {
    ByteString from = ByteString.copyFrom(new byte[1]);
    long revision = 0;
    long keys = 0;
    while (true) {
      RangeResponse page = page(from, revision);
      // The first answer fixes the revision; all later pages are of the same moment.
      revision = revision == 0 ? page.getHeader().getRevision() : revision;
      for (KeyValue entry : page.getKvsList()) {
        visitor.visit(
            Bytes.wrap(entry.getKey().toByteArray()),
            Bytes.wrap(entry.getValue().toByteArray()),
            entry.getModRevision());
        keys++;
      }
      if (!page.getMore() || page.getKvsCount() == 0) {
        return new Survey(revision, keys);
      }
      from = after(page.getKvs(page.getKvsCount() - 1).getKey());
    }
  }

  /// What [#forEach] went through.
  public record Survey(long revision, long keys) {}

  private RangeResponse page(ByteString from, long revision) {
    var request =
        RangeRequest.newBuilder()
            .setKey(from)
            // A single zero byte means: to the end of all keys.
            .setRangeEnd(ByteString.copyFrom(new byte[1]))
            .setLimit(PAGE)
            .setRevision(revision)
            .setSerializable(true)
            .build();
    try {
      return kv.withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS).range(request);
    } catch (StatusRuntimeException e) {
      throw Failures.of(e);
    }
  }

  private static ByteString after(ByteString key) {
    return key.concat(ByteString.copyFrom(new byte[1]));
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
