package io.keyward.etcd.live;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Server;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.keyward.etcd.proto.KVGrpc;
import io.keyward.etcd.proto.RangeRequest;
import io.keyward.etcd.proto.RangeResponse;
import io.keyward.etcd.proto.ResponseHeader;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Signature;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// openssl wrote the files, in every form that it has.
final class ClientIdentityTest {
  @TempDir private Path directory;

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rsa     | rsa-pkcs1     | SHA256withRSA
          rsa     | rsa-pkcs8     | SHA256withRSA
          ec      | ec-sec1       | SHA256withECDSA
          ec      | ec-sec1-alone | SHA256withECDSA
          ec      | ec-pkcs8      | SHA256withECDSA
          ed25519 | ed25519-pkcs8 | Ed25519
          """)
  void theKeyBelongsToItsCertificate(String certificate, String key, String algorithm)
      throws Exception {
    ClientIdentity read = ClientIdentity.read(files(certificate, key));
    byte[] sample = "keyward".getBytes(US_ASCII);
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(read.key());
    signature.update(sample);
    byte[] signed = signature.sign();
    signature.initVerify(read.chain().getFirst());
    signature.update(sample);
    assertThat(signature.verify(signed)).isTrue();
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource({"rsa,rsa-pkcs1", "rsa,rsa-pkcs8", "ec,ec-sec1", "ec,ec-pkcs8"})
  void aServerThatRequiresAClientCertificateAcceptsIt(String certificate, String key)
      throws Exception {
    var tls =
        GrpcSslContexts.configure(
                SslContextBuilder.forServer(file("ec.crt"), file("ec-pkcs8.key")), SslProvider.JDK)
            .trustManager(file(certificate + ".crt"))
            .clientAuth(ClientAuth.REQUIRE)
            .build();
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sslContext(tls)
            .addService(new EmptyEtcd())
            .build()
            .start();
    var access =
        new Access(
            List.of(new Access.Endpoint("127.0.0.1", server.getPort(), true)),
            Optional.of(file("ec.crt").toPath()),
            Optional.of(files(certificate, key)),
            Optional.empty());
    try (var etcd = new LiveEtcd(access, Duration.ofSeconds(1))) {
      assertThat(etcd.forEach((_, _, _) -> {}).revision()).isEqualTo(5);
    } finally {
      server.shutdownNow();
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rsa | rsa-encrypted-pkcs1 | is protected by a passphrase
          rsa | rsa-encrypted-pkcs8 | is protected by a passphrase
          rsa | ec-sec1             | contains a damaged private key, or not the kind of the certificate
          ec  | rsa-pkcs1           | contains a damaged private key, or not the kind of the certificate
          """)
  void aKeyThatCannotBeUsedIsNamed(String certificate, String key, String problem) {
    assertThatThrownBy(() -> ClientIdentity.read(files(certificate, key)))
        .hasMessageContaining(key + ".key " + problem);
  }

  @Test
  void filesWithoutACertificateOrAKeyAreNamed() throws Exception {
    Path empty = Files.writeString(directory.resolve("empty.pem"), "\n");
    Path damaged =
        Files.writeString(
            directory.resolve("damaged.pem"),
            "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
    Path certificate = file("rsa.crt").toPath();
    assertThatThrownBy(() -> ClientIdentity.read(new Access.Certificate(empty, empty)))
        .hasMessageContaining("empty.pem contains no certificate");
    assertThatThrownBy(() -> ClientIdentity.read(new Access.Certificate(certificate, empty)))
        .hasMessageContaining("empty.pem contains no private key");
    assertThatThrownBy(() -> ClientIdentity.read(new Access.Certificate(certificate, damaged)))
        .hasMessageContaining("damaged.pem contains a damaged private key");
  }

  @Test
  void oneFileMayHoldBoth() throws Exception {
    Path both =
        Files.writeString(
            directory.resolve("both.pem"),
            Files.readString(file("ec-sec1.key").toPath())
                + Files.readString(file("ec.crt").toPath()));
    assertThat(ClientIdentity.read(new Access.Certificate(both, both)).key().getAlgorithm())
        .isEqualTo("EC");
  }

  private static Access.Certificate files(String certificate, String key) {
    return new Access.Certificate(file(certificate + ".crt").toPath(), file(key + ".key").toPath());
  }

  private static File file(String name) {
    try {
      return new File(
          Objects.requireNonNull(ClientIdentityTest.class.getResource("keys/" + name)).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class EmptyEtcd extends KVGrpc.KVImplBase {
    @Override
    public void range(RangeRequest request, StreamObserver<RangeResponse> answer) {
      answer.onNext(
          RangeResponse.newBuilder().setHeader(ResponseHeader.newBuilder().setRevision(5)).build());
      answer.onCompleted();
    }
  }
}
