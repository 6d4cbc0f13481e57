package io.keyward.kms.gcp;

import com.google.api.gax.core.FixedCredentialsProvider;
import com.google.api.gax.core.FixedExecutorProvider;
import com.google.api.gax.grpc.GrpcCallContext;
import com.google.api.gax.grpc.GrpcTransportChannel;
import com.google.api.gax.rpc.FixedTransportChannelProvider;
import com.google.api.gax.rpc.StatusCode;
import com.google.api.gax.rpc.UnaryCallSettings;
import com.google.api.gax.rpc.UnaryCallable;
import com.google.cloud.kms.v1.CryptoKey;
import com.google.cloud.kms.v1.DecryptRequest;
import com.google.cloud.kms.v1.DecryptResponse;
import com.google.cloud.kms.v1.EncryptRequest;
import com.google.cloud.kms.v1.EncryptResponse;
import com.google.cloud.kms.v1.GetCryptoKeyRequest;
import com.google.cloud.kms.v1.KeyManagementServiceClient;
import com.google.cloud.kms.v1.KeyManagementServiceSettings;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.keyward.kms.remote.Deadline;
import io.keyward.kms.remote.TrustedCa;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/// Google's client over one connection, without retries of its own.
final class CloudKms implements AutoCloseable {
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService background =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
  private final FreshCredentials credentials;
  private final ManagedChannel channel;
  private final KeyManagementServiceClient client;

  CloudKms(String host, int port, Optional<TrustedCa> ca, FreshCredentials credentials) {
    this.credentials = credentials;
    var tls = TlsChannelCredentials.newBuilder();
    ca.ifPresent(tls::trustManager);
    channel =
        Grpc.newChannelBuilderForAddress(host, port, tls.build())
            .executor(executor)
            .offloadExecutor(executor) // else gRPC keeps platform threads for credentials
            .maxInboundMessageSize(256 * 1024)
            .build();
    try {
      var settings = KeyManagementServiceSettings.newBuilder();
      settings
          .setTransportChannelProvider(
              FixedTransportChannelProvider.create(GrpcTransportChannel.create(channel)))
          .setCredentialsProvider(FixedCredentialsProvider.create(credentials))
          .setBackgroundExecutorProvider(FixedExecutorProvider.create(background));
      once(settings.encryptSettings());
      once(settings.decryptSettings());
      once(settings.getCryptoKeySettings());
      client = KeyManagementServiceClient.create(settings.build());
    } catch (IOException e) {
      throw new UncheckedIOException("nothing is read here", e);
    }
  }

  private static void once(UnaryCallSettings.Builder<?, ?> settings) {
    settings.setRetryableCodes(Set.of());
    settings.setSimpleTimeoutNoRetriesDuration(Duration.ofSeconds(60));
  }

  EncryptResponse encrypt(EncryptRequest request, Deadline deadline) {
    return call(client.encryptCallable(), request, deadline);
  }

  DecryptResponse decrypt(DecryptRequest request, Deadline deadline) {
    return call(client.decryptCallable(), request, deadline);
  }

  CryptoKey key(String name, Deadline deadline) {
    var request = GetCryptoKeyRequest.newBuilder().setName(name).build();
    return call(client.getCryptoKeyCallable(), request, deadline);
  }

  private <Q, A> A call(UnaryCallable<Q, A> callable, Q request, Deadline deadline) {
    try {
      return attempt(callable, request, deadline);
    } catch (RuntimeException e) {
      if (CloudFailure.code(e) != StatusCode.Code.UNAUTHENTICATED) {
        throw e;
      }
      credentials.forget();
      return attempt(callable, request, deadline);
    }
  }

  private <Q, A> A attempt(UnaryCallable<Q, A> callable, Q request, Deadline deadline) {
    try {
      return callable.call(
          request, GrpcCallContext.createDefault().withTimeoutDuration(deadline.left()));
    } catch (RuntimeException e) {
      if (CloudFailure.code(e) == StatusCode.Code.UNAVAILABLE) {
        // Else gRPC would wait longer and longer, up to two minutes, before it connects again.
        channel.resetConnectBackoff();
      }
      throw e;
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
    client.close();
    background.shutdownNow();
    executor.shutdownNow();
  }
}
