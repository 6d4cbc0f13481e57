package io.keyward.kms.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/// A credential of the SDK that is made anew when what it was made of has changed, or when its
/// tokens were refused. The SDK's own would keep a client secret for ever.
final class FreshCredential implements TokenCredential {
  private record Made(String material, TokenCredential credential) {}

  private final Supplier<String> material;
  private final Function<String, TokenCredential> maker;
  private volatile @Nullable Made made;
  private volatile Optional<Instant> until = Optional.empty();

  /// A credential that reads `material` at every log-in.
  FreshCredential(Supplier<String> material, Function<String, TokenCredential> maker) {
    this.material = material;
    this.maker = maker;
  }

  @Override
  public Mono<AccessToken> getToken(TokenRequestContext request) {
    return Mono.fromSupplier(() -> getTokenSync(request));
  }

  @Override
  public AccessToken getTokenSync(TokenRequestContext request) {
    AccessToken token = now().getTokenSync(request);
    until = Optional.of(token.getExpiresAt().toInstant());
    return token;
  }

  private TokenCredential now() {
    String current = material.get();
    Made known = made;
    if (known == null || !known.material().equals(current)) {
      known = new Made(current, maker.apply(current));
      made = known;
    }
    return known.credential();
  }

  /// Logs in again the next time, whatever token is still in memory.
  void forget() {
    made = null;
  }

  Optional<Instant> until() {
    return until;
  }
}
