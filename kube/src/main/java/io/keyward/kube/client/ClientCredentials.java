package io.keyward.kube.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The client certificate and the key of a kubeconfig. A kubelet has both in one file, which the
/// client library does not read, and replaces it when the certificate is renewed.
///
/// @param config as the client library needs it
/// @param sources files that hold credentials, as the kubeconfig names them
/// @param files the same without links, and when they were written
record ClientCredentials(Config config, List<Path> sources, List<Dated> files) {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \\1-----", Pattern.DOTALL);

  /// A file as it was read.
  record Dated(Path file, FileTime time) {
    static Dated of(Path file) throws IOException {
      // A link to the newest certificate changes when its target does.
      Path real = file.toRealPath();
      return new Dated(real, Files.getLastModifiedTime(real));
    }
  }

  ClientCredentials {
    sources = List.copyOf(sources);
    files = List.copyOf(files);
  }

  static ClientCredentials of(Config base) throws IOException {
    var sources = new ArrayList<Path>();
    String certificate = text(base.getClientCertData(), base.getClientCertFile(), sources);
    String key = text(base.getClientKeyData(), base.getClientKeyFile(), sources);
    var files = new ArrayList<Dated>();
    for (Path source : sources) {
      files.add(Dated.of(source));
    }
    if (certificate.isEmpty() || key.isEmpty()) {
      return new ClientCredentials(base, sources, files);
    }
    String onlyKey = blocks(key, "PRIVATE KEY");
    return new ClientCredentials(
        new ConfigBuilder(base)
            .withClientCertFile(null)
            .withClientKeyFile(null)
            .withClientCertData(encoded(blocks(certificate, "CERTIFICATE")))
            .withClientKeyData(encoded(onlyKey))
            .withClientKeyAlgo(algorithm(onlyKey))
            .build(),
        sources,
        files);
  }

  /// The same server and the same trust, and of the credentials nothing.
  static ClientCredentials ofToken(Config server, Supplier<String> token) {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(server.getMasterUrl())
            .withCaCertFile(server.getCaCertFile())
            .withCaCertData(server.getCaCertData())
            .withTrustStoreFile(server.getTrustStoreFile())
            .withTrustStorePassphrase(server.getTrustStorePassphrase())
            .withTrustCerts(server.isTrustCerts())
            .withDisableHostnameVerification(server.isDisableHostnameVerification())
            .withHttpProxy(server.getHttpProxy())
            .withHttpsProxy(server.getHttpsProxy())
            .withNoProxy(server.getNoProxy())
            .withProxyUsername(server.getProxyUsername())
            .withProxyPassword(server.getProxyPassword())
            .withRequestRetryBackoffLimit(server.getRequestRetryBackoffLimit())
            .withConnectionTimeout(server.getConnectionTimeout())
            .withRequestTimeout(server.getRequestTimeout())
            .withOauthTokenProvider(token::get)
            .build();
    return new ClientCredentials(config, List.of(), List.of());
  }

  private static String text(@Nullable String data, @Nullable String file, List<Path> sources)
      throws IOException {
    if (data != null) {
      return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.US_ASCII);
    }
    if (file == null) {
      return "";
    }
    sources.add(Path.of(file));
    return Files.readString(Path.of(file));
  }

  private static String encoded(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }

  /// The blocks of a kind, or the whole text where there is none: the library reports what is
  /// wrong.
  private static String blocks(String pem, String kind) {
    var found = new StringBuilder();
    Matcher block = BLOCK.matcher(pem);
    while (block.find()) {
      if (block.group(1).endsWith(kind)) {
        found.append(block.group()).append('\n');
      }
    }
    return found.isEmpty() ? pem : found.toString();
  }

  /// The client library must know the kind of a key.
  private static String algorithm(String pem) {
    return pem.contains("BEGIN EC PRIVATE KEY") || isEc(pem) ? "EC" : "RSA";
  }

  private static boolean isEc(String pem) {
    String body = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
    try {
      var spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body));
      return !body.isEmpty() && KeyFactory.getInstance("EC").generatePrivate(spec) != null;
    } catch (GeneralSecurityException | IllegalArgumentException _) {
      return false;
    }
  }

  boolean areReplaced() {
    return sources.stream().anyMatch(this::isReplaced);
  }

  /// A file that is missing for a moment is not replaced yet.
  private boolean isReplaced(Path file) {
    try {
      return !files.contains(Dated.of(file));
    } catch (IOException _) {
      return false;
    }
  }
}
