package io.keyward.kms.plugin.service;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.keyward.kms.plugin.call.CachedDecrypt;
import io.keyward.kms.plugin.health.KeyHealth;
import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.kms.proto.v2.DecryptRequest;
import io.keyward.kms.proto.v2.DecryptResponse;
import io.keyward.kms.proto.v2.EncryptRequest;
import io.keyward.kms.proto.v2.EncryptResponse;
import io.keyward.kms.proto.v2.KeyManagementServiceGrpc.KeyManagementServiceImplBase;
import io.keyward.kms.proto.v2.StatusRequest;
import io.keyward.kms.proto.v2.StatusResponse;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;

/// KMS v2 for one key. Status answers from memory and never waits; the others ask the provider.
final class KmsV2Service extends KeyManagementServiceImplBase {
  private static final String VERSION = "v2";
  private static final String HEALTHY = "ok";

  private final KmsProvider provider;
  private final KeyWatch watch;
  private final CallRunner calls;
  private final CallObserver observer;
  private final CachedDecrypt memory;

  KmsV2Service(
      KmsProvider provider,
      KeyWatch watch,
      CallRunner calls,
      CallObserver observer,
      CachedDecrypt memory) {
    this.provider = provider;
    this.watch = watch;
    this.calls = calls;
    this.observer = observer;
    this.memory = memory;
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusResponse> to) {
    long begin = System.nanoTime();
    KeyHealth health = watch.now();
    to.onNext(
        StatusResponse.newBuilder()
            .setVersion(VERSION)
            .setHealthz(watch.problem().orElse(HEALTHY))
            .setKeyId(health.kek().map(KekId::value).orElse(""))
            .build());
    to.onCompleted();
    observer.finished(Operation.STATUS, "OK", System.nanoTime() - begin);
  }

  @Override
  public void encrypt(EncryptRequest request, StreamObserver<EncryptResponse> to) {
    calls.run(
        Operation.ENCRYPT,
        to,
        allowed ->
            Messages.encrypted(provider.wrap(Messages.dek(request.getPlaintext()), allowed)));
  }

  @Override
  public void decrypt(DecryptRequest request, StreamObserver<DecryptResponse> to) {
    calls.run(
        Operation.DECRYPT,
        to,
        () -> memory.recall(Messages.wrapped(request)).map(KmsV2Service::decrypted),
        allowed -> decrypted(provider.unwrap(Messages.wrapped(request), allowed)));
  }

  private static DecryptResponse decrypted(Secret dek) {
    return DecryptResponse.newBuilder().setPlaintext(ByteString.copyFrom(dek.reveal())).build();
  }
}
