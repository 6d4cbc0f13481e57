package io.keyward.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsTest {
  @TempDir private Path directory;
  private TlsFiles files = new TlsFiles(Path.of(""), Path.of(""));

  @BeforeEach
  void files() {
    files = new TlsFiles(directory.resolve("tls.crt"), directory.resolve("tls.key"));
  }

  private ReportServer start() {
    var settings =
        new ListenSettings(
            new ListenAddress("127.0.0.1", 0), Optional.of(files), Optional.empty(), false);
    return ReportServer.start(settings, new SampleReport());
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA", "Ed25519"})
  void aCertificateIsReplacedWhileTheServerRuns(String algorithm) throws Exception {
    var first = SampleCertificate.create("EC");
    first.write(files);
    try (ReportServer server = start()) {
      assertThat(server.url()).startsWith("https://127.0.0.1:");
      assertThat(presented(server)).isEqualTo(first.certificate());

      var second = SampleCertificate.create(algorithm);
      second.writeCertificate(files.certificate());
      assertThat(presented(server))
          .as("the key does not belong to the certificate yet")
          .isEqualTo(first.certificate());
      second.writeKey(files.key());
      assertThat(presented(server)).isEqualTo(second.certificate());

      Files.delete(files.key());
      assertThat(presented(server)).isEqualTo(second.certificate());
    }
  }

  @Test
  void aHandshakeThatNeverEndsIsCutOff() throws Exception {
    SampleCertificate.create("EC").write(files);
    try (ReportServer server = start();
        var socket = new Socket(server.address().getAddress(), server.address().getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(new byte[] {22, 3, 1, 2}); // the begin of a ClientHello
      // To its end: an alert may come first.
      assertThat(socket.getInputStream().readNBytes(100)).hasSizeLessThan(100);
    }
  }

  @Test
  void filesThatCannotBeUsedAreNamed() throws Exception {
    assertThatExceptionOfType(ListenFailure.class)
        .isThrownBy(this::start)
        .withMessage("cannot read " + files.certificate());
    var certificate = SampleCertificate.create("EC");
    certificate.write(files);
    SampleCertificate.create("EC").writeKey(files.key());
    assertThatExceptionOfType(ListenFailure.class)
        .isThrownBy(this::start)
        .withMessageContaining("does not belong to the certificate");
    SampleCertificate.create("RSA").writeKey(files.key());
    assertThatExceptionOfType(ListenFailure.class)
        .isThrownBy(this::start)
        .withMessageContaining("not of the kind of the certificate");
    SampleCertificate.pem(files.key(), "EC PRIVATE KEY", new byte[] {1, 2, 3});
    assertThatExceptionOfType(ListenFailure.class)
        .isThrownBy(this::start)
        .withMessage("there is no PKCS#8 private key in " + files.key())
        .satisfies(e -> assertThat(e.remedy()).contains("openssl pkcs8 -topk8 -nocrypt"));
    Files.writeString(files.certificate(), "");
    assertThatExceptionOfType(ListenFailure.class)
        .isThrownBy(this::start)
        .withMessage("there is no certificate in " + files.certificate());
  }

  private static Certificate presented(ReportServer server) throws Exception {
    try (SSLSocket socket = connect(server)) {
      socket.getOutputStream().write("GET /livez HTTP/1.0\r\n\r\n".getBytes(US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
          .startsWith("HTTP/1.1 200 OK\r\n")
          .endsWith("ok\n");
      return socket.getSession().getPeerCertificates()[0];
    }
  }

  /// A new context for each connection, so that no session is resumed.
  private static SSLSocket connect(ReportServer server) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Everybody()}, null);
    Socket socket =
        context
            .getSocketFactory()
            .createSocket(server.address().getAddress(), server.address().getPort());
    return (SSLSocket) socket;
  }

  /// The test looks at the certificate itself.
  private static final class Everybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
