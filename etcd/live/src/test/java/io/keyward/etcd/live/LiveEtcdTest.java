package io.keyward.etcd.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.keyward.etcd.proto.AuthGrpc;
import io.keyward.etcd.proto.AuthenticateRequest;
import io.keyward.etcd.proto.AuthenticateResponse;
import io.keyward.etcd.proto.KVGrpc;
import io.keyward.etcd.proto.KeyValue;
import io.keyward.etcd.proto.RangeRequest;
import io.keyward.etcd.proto.RangeResponse;
import io.keyward.etcd.proto.ResponseHeader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Against a server that pages and checks tokens as etcd does; real etcd is for the other tests.
final class LiveEtcdTest {
  private final FakeEtcd etcd = new FakeEtcd();
  private @Nullable Server server;

  @BeforeEach
  void start() throws Exception {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(etcd)
            .addService(new FakeAuth())
            .intercept(new Tokens())
            .build()
            .start();
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.shutdownNow();
    }
  }

  @Test
  void readsAllPagesAtOneRevision() {
    var keys = new ArrayList<String>();
    try (var live = new LiveEtcd(access(Optional.empty()))) {
      LiveEtcd.Survey survey = live.forEach((key, _, _) -> keys.add(key.utf8().orElse("?")));
      assertThat(survey).isEqualTo(new LiveEtcd.Survey(77, FakeEtcd.KEYS, FakeEtcd.KEYS));
    }
    assertThat(keys).hasSize(FakeEtcd.KEYS).doesNotHaveDuplicates().isSorted();
    assertThat(etcd.asked).extracting(RangeRequest::getRevision).startsWith(0L, 77L, 77L);
    assertThat(etcd.asked).extracting(RangeRequest::getLimit).containsExactly(100L, 800L, 6400L);
    assertThat(etcd.asked).allMatch(RangeRequest::getSerializable);
  }

  @Test
  void whatIsTooLargeIsAskedForAgainInSmallerPages() {
    etcd.most = 10;
    try (var live = new LiveEtcd(access(Optional.empty()))) {
      assertThat(live.forEach((_, _, _) -> {}).keys()).isEqualTo(FakeEtcd.KEYS);
    }
    etcd.most = 0;
    assertKind(Optional.empty(), LiveEtcdException.Kind.TOO_LARGE);
  }

  @Test
  void aCompactionMeanwhileHasItsOwnWords() {
    etcd.compacted = true;
    assertKind(Optional.empty(), LiveEtcdException.Kind.COMPACTED);
  }

  @Test
  void aUserGetsATokenOrIsDenied() {
    etcd.wantsToken = true;
    assertKind(Optional.empty(), LiveEtcdException.Kind.NO_USER);
    assertKind(
        Optional.of(new Access.User("root", "wrong")), LiveEtcdException.Kind.WRONG_PASSWORD);
    try (var live = new LiveEtcd(access(Optional.of(new Access.User("root", "right"))))) {
      assertThat(live.forEach((_, _, _) -> {}).keys()).isEqualTo(FakeEtcd.KEYS);
    }
  }

  @Test
  void goesOnWithTheNextMemberAtTheSameRevision() throws Exception {
    var other = new FakeEtcd();
    etcd.answersLeft = 1;
    Server second =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(other)
            .build()
            .start();
    var keys = new ArrayList<String>();
    try (var live =
        new LiveEtcd(
            new Access(
                List.of(
                    access(Optional.empty()).endpoints().getFirst(),
                    new Access.Endpoint("localhost", second.getPort(), false)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()))) {
      assertThat(live.forEach((key, _, _) -> keys.add(key.utf8().orElse("?"))).revision())
          .isEqualTo(77);
    } finally {
      second.shutdownNow();
    }
    assertThat(keys).hasSize(FakeEtcd.KEYS).doesNotHaveDuplicates();
    assertThat(other.asked).isNotEmpty().allMatch(request -> request.getRevision() == 77);
  }

  @Test
  void waitsForAMemberThatRestarts() {
    etcd.failures = 2;
    try (var live = new LiveEtcd(access(Optional.empty()), Duration.ofSeconds(20))) {
      var totals = new ArrayList<Long>();
      assertThat(live.forEach(totals::add, (_, _, _) -> {}))
          .isEqualTo(new LiveEtcd.Survey(77, FakeEtcd.KEYS, FakeEtcd.KEYS));
      assertThat(totals).containsExactly((long) FakeEtcd.KEYS);
    }
    assertThat(etcd.failures).isZero();
    assertThat(etcd.asked.stream().skip(1)).allMatch(request -> request.getRevision() == 77);
  }

  @Test
  void doesNotWaitForEver() {
    etcd.failures = Integer.MAX_VALUE;
    try (var live = new LiveEtcd(access(Optional.empty()), Duration.ofMillis(600))) {
      assertThatThrownBy(() -> live.forEach((_, _, _) -> {}))
          .isInstanceOfSatisfying(
              LiveEtcdException.class,
              e -> assertThat(e.kind()).isEqualTo(LiveEtcdException.Kind.UNREACHABLE));
    }
    assertThat(etcd.asked).hasSizeBetween(3, 4);
  }

  @Test
  void nobodyThere() {
    Access access = access(Optional.empty());
    stop();
    assertThatThrownBy(() -> survey(access))
        .isInstanceOfSatisfying(
            LiveEtcdException.class,
            e -> assertThat(e.kind()).isEqualTo(LiveEtcdException.Kind.UNREACHABLE));
  }

  @Test
  void passwordsAreNotPrinted() {
    assertThat(new Access.User("root", "geheim").toString()).doesNotContain("geheim");
  }

  private void assertKind(Optional<Access.User> user, LiveEtcdException.Kind kind) {
    assertThatThrownBy(() -> survey(access(user)))
        .isInstanceOfSatisfying(
            LiveEtcdException.class, e -> assertThat(e.kind()).as(e.detail()).isEqualTo(kind));
  }

  private static void survey(Access access) {
    try (var live = new LiveEtcd(access)) {
      assertThat(live.forEach((_, _, _) -> {})).isNotNull();
    }
  }

  private Access access(Optional<Access.User> user) {
    int port = server == null ? 0 : server.getPort();
    return new Access(
        List.of(new Access.Endpoint("localhost", port, false)),
        Optional.empty(),
        Optional.empty(),
        user);
  }

  private static final class FakeEtcd extends KVGrpc.KVImplBase {
    static final int KEYS = 2500;

    private final List<RangeRequest> asked = new ArrayList<>();
    private boolean compacted;
    private int most = Integer.MAX_VALUE;
    private int answersLeft = Integer.MAX_VALUE;
    private int failures;
    private boolean wantsToken;

    @Override
    public void range(RangeRequest request, StreamObserver<RangeResponse> answer) {
      asked.add(request);
      boolean fails = request.getRevision() > 0 && failures > 0;
      failures -= fails ? 1 : 0;
      if (fails || answersLeft-- <= 0) {
        answer.onError(Status.UNAVAILABLE.asRuntimeException());
        return;
      }
      if (wantsToken && !"good".equals(Tokens.TOKEN.get())) {
        answer.onError(Status.UNAUTHENTICATED.asRuntimeException());
        return;
      }
      if (request.getLimit() > most) {
        answer.onError(Status.RESOURCE_EXHAUSTED.asRuntimeException());
        return;
      }
      if (compacted && request.getRevision() > 0) {
        answer.onError(Status.OUT_OF_RANGE.withDescription("compacted").asRuntimeException());
        return;
      }
      var page = RangeResponse.newBuilder();
      page.setHeader(ResponseHeader.newBuilder().setRevision(77 + asked.size() - 1));
      page.setCount(KEYS);
      for (int i = 0; i < KEYS; i++) {
        ByteString key = ByteString.copyFromUtf8(String.valueOf(10_000 + i));
        boolean inRange =
            ByteString.unsignedLexicographicalComparator().compare(key, request.getKey()) >= 0;
        if (inRange && page.getKvsCount() == request.getLimit()) {
          page.setMore(true);
          break;
        }
        if (inRange) {
          page.addKvs(KeyValue.newBuilder().setKey(key));
        }
      }
      answer.onNext(page.build());
      answer.onCompleted();
    }
  }

  private static final class FakeAuth extends AuthGrpc.AuthImplBase {
    @Override
    public void authenticate(
        AuthenticateRequest request, StreamObserver<AuthenticateResponse> answer) {
      if (!request.getPassword().equals("right")) {
        answer.onError(Status.INVALID_ARGUMENT.asRuntimeException());
        return;
      }
      answer.onNext(AuthenticateResponse.newBuilder().setToken("good").build());
      answer.onCompleted();
    }
  }

  private static final class Tokens implements ServerInterceptor {
    static final Context.Key<String> TOKEN = Context.key("token");

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      String token = headers.get(Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER));
      Context context =
          token == null ? Context.current() : Context.current().withValue(TOKEN, token);
      return Contexts.interceptCall(context, call, headers, next);
    }
  }
}
