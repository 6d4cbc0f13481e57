package io.keyward.kms.azure;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.core.credential.TokenCredential;
import com.azure.identity.AadCredentialBuilderBase;
import com.azure.identity.ClientAssertionCredentialBuilder;
import com.azure.identity.ClientCertificateCredentialBuilder;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import io.keyward.kms.spi.SecretFile;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;

/// Who the plugin is for Azure. Files are read again at every log-in.
sealed interface Identity {
  FreshCredential credential(RedirectingHttpClient wire);

  /// When a certificate ends that nobody renews by himself.
  default Optional<Instant> until() {
    return Optional.empty();
  }

  /// The identity of the machine or of the pod's node.
  ///
  /// @param client the client id of a user-assigned identity
  record Managed(Optional<String> client) implements Identity {
    @Override
    public FreshCredential credential(RedirectingHttpClient wire) {
      return new FreshCredential(
          () -> "",
          _ -> {
            // It has a retry policy of its own and refuses another; the deadline bounds it.
            var builder = new ManagedIdentityCredentialBuilder().httpClient(wire);
            client.ifPresent(builder::clientId);
            return builder.build();
          });
    }
  }

  /// An application of a tenant.
  ///
  /// @param authority where to log in instead of the public cloud
  record Application(String tenant, String client, Optional<String> authority) {
    <T extends AadCredentialBuilderBase<T>> T fill(T builder, RedirectingHttpClient wire) {
      builder.tenantId(tenant).clientId(client).httpClient(wire);
      builder.retryOptions(KeyVault.noRetries());
      // The configured place is trusted; asking Microsoft about it would fail in closed networks.
      authority.ifPresent(host -> builder.authorityHost(host).disableInstanceDiscovery());
      return builder;
    }
  }

  record ClientSecret(Application application, SecretFile secret) implements Identity {
    @Override
    public FreshCredential credential(RedirectingHttpClient wire) {
      return new FreshCredential(
          secret::read,
          now ->
              application
                  .fill(new ClientSecretCredentialBuilder(), wire)
                  .clientSecret(now)
                  .build());
    }
  }

  /// A token that Kubernetes gave to a service account, exchanged for one of Azure.
  record Workload(Application application, SecretFile token) implements Identity {
    @Override
    public FreshCredential credential(RedirectingHttpClient wire) {
      return new FreshCredential(
          () -> "",
          _ ->
              application
                  .fill(new ClientAssertionCredentialBuilder(), wire)
                  .clientAssertion(token::read)
                  .build());
    }
  }

  /// A PEM file with a certificate and its private key.
  record Certificate(Application application, SecretFile pem) implements Identity {
    @Override
    public FreshCredential credential(RedirectingHttpClient wire) {
      return new FreshCredential(pem::read, now -> make(wire, now));
    }

    private TokenCredential make(RedirectingHttpClient wire, String now) {
      return application
          .fill(new ClientCertificateCredentialBuilder(), wire)
          .pemCertificate(new ByteArrayInputStream(now.getBytes(UTF_8)))
          .build();
    }

    @Override
    public Optional<Instant> until() {
      String text = pem.read();
      int begin = text.indexOf("-----BEGIN CERTIFICATE-----");
      try {
        var in = new ByteArrayInputStream(text.substring(Math.max(0, begin)).getBytes(UTF_8));
        return CertificateFactory.getInstance("X.509").generateCertificate(in)
                instanceof X509Certificate own
            ? Optional.of(own.getNotAfter().toInstant())
            : Optional.empty();
      } catch (CertificateException e) {
        return Optional.empty();
      }
    }
  }
}
