package io.keyward.kms.gcp;

import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.auth.Credentials;
import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.Serial;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/// Google's credentials, made anew when their file has changed or their token was refused. Without
/// a file they are the application default: what the environment, gcloud or the metadata server
/// gives.
@SuppressWarnings("serial") // Google's class is serializable; this one is never written anywhere
final class FreshCredentials extends Credentials {
  @Serial private static final long serialVersionUID = 1L;
  private static final String SCOPE = "https://www.googleapis.com/auth/cloudkms";
  private static final int MAX_BYTES = 64 * 1024;

  private record Made(ByteString content, GoogleCredentials credentials) {}

  private final transient Optional<Path> file;
  private final transient SSLSocketFactory tls;
  private transient volatile @Nullable Made made;

  FreshCredentials(Optional<Path> file, SSLSocketFactory tls) {
    this.file = file;
    this.tls = tls;
  }

  private GoogleCredentials now() throws IOException {
    ByteString content = file.isPresent() ? read(file.get()) : ByteString.EMPTY;
    Made known = made;
    if (known == null || !known.content().equals(content)) {
      var transport = new NetHttpTransport.Builder().setSslSocketFactory(tls).build();
      GoogleCredentials fresh =
          file.isPresent()
              ? GoogleCredentials.fromStream(content.newInput(), () -> transport)
              : GoogleCredentials.getApplicationDefault(() -> transport);
      known = new Made(content, fresh.createScoped(List.of(SCOPE)));
      made = known;
    }
    return known.credentials();
  }

  private static ByteString read(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return ByteString.copyFrom(in.readNBytes(MAX_BYTES));
    }
  }

  /// Logs in again the next time.
  void forget() {
    made = null;
  }

  Optional<Instant> until() {
    return Optional.ofNullable(made)
        .map(it -> it.credentials().getAccessToken())
        .map(AccessToken::getExpirationTime)
        .map(java.util.Date::toInstant);
  }

  @Override
  public String getAuthenticationType() {
    return "OAuth2";
  }

  @Override
  public Map<String, List<String>> getRequestMetadata(@Nullable URI uri) throws IOException {
    return now().getRequestMetadata(uri);
  }

  @Override
  public boolean hasRequestMetadata() {
    return true;
  }

  @Override
  public boolean hasRequestMetadataOnly() {
    return true;
  }

  @Override
  public void refresh() throws IOException {
    now().refresh();
  }
}
