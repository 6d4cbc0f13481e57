package io.keyward.kms.gcp;

import com.google.cloud.kms.v1.CryptoKey;
import com.google.cloud.kms.v1.CryptoKeyVersion;
import com.google.cloud.kms.v1.DecryptRequest;
import com.google.cloud.kms.v1.DecryptResponse;
import com.google.cloud.kms.v1.EncryptRequest;
import com.google.cloud.kms.v1.EncryptResponse;
import com.google.cloud.kms.v1.GetCryptoKeyRequest;
import com.google.protobuf.ByteString;
import com.google.protobuf.Int64Value;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.keyward.kms.tck.Trouble;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.Pki;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/// A fake of Cloud KMS: the messages and the method names of Google's own service definition, over
/// gRPC with TLS, with AES keys in memory. It misbehaves on request. For tests only.
final class FakeCloudKms implements AutoCloseable {
  private static final String SERVICE = "google.cloud.kms.v1.KeyManagementService";
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private record FakeKey(List<SecretKey> versions) {}

  private final Path directory;
  private final Predicate<String> knowsToken;
  private final ConcurrentMap<String, FakeKey> keys = new ConcurrentHashMap<>();
  private final Set<String> disabled = ConcurrentHashMap.newKeySet();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final Set<SocketAddress> connections = ConcurrentHashMap.newKeySet();
  private final SecureRandom random = new SecureRandom();
  private final Pki pki;
  private Server server;
  private int port;
  volatile Optional<Status> failure = Optional.empty();
  volatile boolean silent;
  volatile boolean empty;
  volatile boolean changesBytes;
  volatile boolean mayRead = true;
  volatile Optional<Instant> destroyed = Optional.empty();

  FakeCloudKms(Path directory, Predicate<String> knowsToken) throws IOException {
    this.directory = directory;
    this.knowsToken = knowsToken;
    this.pki = Pki.create(directory.resolve("fake-cloud-kms-pki"));
    this.server = start(0);
    this.port = server.getPort();
  }

  private Server start(int at) throws IOException {
    KeyPairFiles identity = pki.server("kms", List.of("localhost"));
    var tls = TlsServerCredentials.create(identity.certificate().toFile(), identity.key().toFile());
    return Grpc.newServerBuilderForPort(at, tls)
        .executor(Executors.newVirtualThreadPerTaskExecutor())
        .addService(service())
        .intercept(new Gate())
        .build()
        .start();
  }

  Path ca() {
    return pki.clusterCa();
  }

  String endpoint() {
    return "localhost:" + port;
  }

  List<String> calls() {
    return List.copyOf(calls);
  }

  int connections() {
    return connections.size();
  }

  void createKey(String name) {
    keys.put(name, new FakeKey(new CopyOnWriteArrayList<>()));
    rotate(name);
  }

  void rotate(String name) {
    try {
      var generator = KeyGenerator.getInstance("AES");
      generator.init(256);
      known(name).versions().add(generator.generateKey());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES", e);
    }
  }

  void disable(String name) {
    disabled.add(name);
  }

  /// What the contract wants to see. A server that resets goes away and comes back at the same
  /// port.
  void misbehave(Trouble trouble) {
    silent = trouble == Trouble.SILENT || trouble == Trouble.SLOW;
    empty = trouble == Trouble.EMPTY;
    failure =
        switch (trouble) {
          case THROTTLED -> Optional.of(Status.RESOURCE_EXHAUSTED);
          case BROKEN -> Optional.of(Status.INTERNAL);
          case UNAVAILABLE -> Optional.of(Status.UNAVAILABLE);
          case DENIED -> Optional.of(Status.PERMISSION_DENIED);
          default -> Optional.empty();
        };
    try {
      if (trouble == Trouble.RESET) {
        server.shutdownNow().awaitTermination();
      } else if (server.isShutdown()) {
        server = start(port);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private FakeKey known(String name) {
    FakeKey key = keys.get(name);
    if (key == null) {
      throw Status.NOT_FOUND.withDescription("CryptoKey not found").asRuntimeException();
    }
    return Objects.requireNonNull(key);
  }

  private ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(
            method(
                "Encrypt",
                EncryptRequest.getDefaultInstance(),
                EncryptResponse.getDefaultInstance()),
            unary(this::encrypt))
        .addMethod(
            method(
                "Decrypt",
                DecryptRequest.getDefaultInstance(),
                DecryptResponse.getDefaultInstance()),
            unary(this::decrypt))
        .addMethod(
            method(
                "GetCryptoKey",
                GetCryptoKeyRequest.getDefaultInstance(),
                CryptoKey.getDefaultInstance()),
            unary(this::describe))
        .build();
  }

  private static <Q, A> ServerCallHandler<Q, A> unary(Function<Q, A> answer) {
    return ServerCalls.asyncUnaryCall((request, out) -> {
      out.onNext(answer.apply(request));
      out.onCompleted();
    });
  }

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      String name, Q request, A answer) {
    return MethodDescriptor.<Q, A>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(ProtoUtils.marshaller(request))
        .setResponseMarshaller(ProtoUtils.marshaller(answer))
        .build();
  }

  private EncryptResponse encrypt(EncryptRequest request) {
    if (empty) {
      return EncryptResponse.getDefaultInstance();
    }
    FakeKey key = known(request.getName());
    usable(request.getName());
    boolean whole =
        Checksum.of(request.getPlaintext()).equals(request.getPlaintextCrc32C())
            && Checksum.of(request.getAdditionalAuthenticatedData())
                .equals(request.getAdditionalAuthenticatedDataCrc32C());
    int version = key.versions().size();
    byte[] nonce = new byte[12];
    random.nextBytes(nonce);
    ByteString sealed =
        ByteString.copyFrom(new byte[] {(byte) version})
            .concat(ByteString.copyFrom(nonce))
            .concat(
                crypt(
                    Cipher.ENCRYPT_MODE,
                    key.versions().get(version - 1),
                    nonce,
                    request.getAdditionalAuthenticatedData(),
                    request.getPlaintext()));
    return EncryptResponse.newBuilder()
        .setName(request.getName() + "/cryptoKeyVersions/" + version)
        .setCiphertext(sealed)
        .setCiphertextCrc32C(checksum(sealed))
        .setVerifiedPlaintextCrc32C(whole)
        .setVerifiedAdditionalAuthenticatedDataCrc32C(whole)
        .build();
  }

  private DecryptResponse decrypt(DecryptRequest request) {
    if (empty) {
      return DecryptResponse.getDefaultInstance();
    }
    FakeKey key = known(request.getName());
    usable(request.getName());
    ByteString sealed = request.getCiphertext();
    int version = sealed.size() < 29 ? 0 : sealed.byteAt(0);
    if (version < 1 || version > key.versions().size()) {
      throw Status.INVALID_ARGUMENT.withDescription("Decryption failed").asRuntimeException();
    }
    ByteString plain =
        crypt(
            Cipher.DECRYPT_MODE,
            key.versions().get(version - 1),
            sealed.substring(1, 13).toByteArray(),
            request.getAdditionalAuthenticatedData(),
            sealed.substring(13));
    return DecryptResponse.newBuilder()
        .setPlaintext(plain)
        .setPlaintextCrc32C(checksum(plain))
        .setUsedPrimary(version == key.versions().size())
        .build();
  }

  private Int64Value checksum(ByteString bytes) {
    return changesBytes ? Int64Value.of(1) : Checksum.of(bytes);
  }

  private CryptoKey describe(GetCryptoKeyRequest request) {
    FakeKey key = known(request.getName());
    if (!mayRead) {
      throw Status.PERMISSION_DENIED.asRuntimeException();
    }
    var primary =
        CryptoKeyVersion.newBuilder()
            .setName(request.getName() + "/cryptoKeyVersions/" + key.versions().size())
            .setState(
                destroyed.isPresent()
                    ? CryptoKeyVersion.CryptoKeyVersionState.DESTROY_SCHEDULED
                    : disabled.contains(request.getName())
                        ? CryptoKeyVersion.CryptoKeyVersionState.DISABLED
                        : CryptoKeyVersion.CryptoKeyVersionState.ENABLED);
    destroyed.ifPresent(
        when -> primary.setDestroyTime(Timestamp.newBuilder().setSeconds(when.getEpochSecond())));
    return CryptoKey.newBuilder()
        .setName(request.getName())
        .setPrimary(primary)
        .setPurpose(CryptoKey.CryptoKeyPurpose.ENCRYPT_DECRYPT)
        .build();
  }

  private void usable(String name) {
    if (disabled.contains(name)) {
      throw Status.FAILED_PRECONDITION.withDescription("is not enabled").asRuntimeException();
    }
  }

  private static ByteString crypt(
      int mode, SecretKey key, byte[] nonce, ByteString additional, ByteString data) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, key, new GCMParameterSpec(128, nonce));
      cipher.updateAAD(additional.toByteArray());
      return ByteString.copyFrom(cipher.doFinal(data.toByteArray()));
    } catch (GeneralSecurityException e) {
      throw Status.INVALID_ARGUMENT.withDescription("Decryption failed").asRuntimeException();
    }
  }

  /// Who calls, and how the fake feels.
  private final class Gate implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      calls.add(String.valueOf(call.getMethodDescriptor().getBareMethodName()));
      connections.add(
          Objects.requireNonNull(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)));
      if (silent) {
        return new ServerCall.Listener<>() {};
      }
      String token = String.valueOf(headers.get(AUTHORIZATION)).replace("Bearer ", "");
      Optional<Status> refusal =
          failure.or(() ->
              knowsToken.test(token) ? Optional.empty() : Optional.of(Status.UNAUTHENTICATED));
      if (refusal.isPresent()) {
        call.close(refusal.get(), new Metadata());
        return new ServerCall.Listener<>() {};
      }
      return new io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener<>(
          next.startCall(call, headers)) {
        @Override
        public void onHalfClose() {
          try {
            super.onHalfClose();
          } catch (io.grpc.StatusRuntimeException e) {
            call.close(e.getStatus(), new Metadata());
          }
        }
      };
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  @Override
  public String toString() {
    return "FakeCloudKms[" + directory + "]";
  }
}
