package io.keyward.bench.burst;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.keyward.kms.proto.v2.DecryptRequest;
import io.keyward.kms.proto.v2.DecryptResponse;
import io.keyward.kms.proto.v2.KeyManagementServiceGrpc.KeyManagementServiceImplBase;
import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;
import java.util.HashMap;

/// The reference: what most plugins do. Each Decrypt is one call to the KMS, at once.
final class OneCallPerRequest extends KeyManagementServiceImplBase {
  private final KmsProvider provider;
  private final Duration budget;

  OneCallPerRequest(KmsProvider provider, Duration budget) {
    this.provider = provider;
    this.budget = budget;
  }

  @Override
  public void decrypt(DecryptRequest request, StreamObserver<DecryptResponse> to) {
    Thread.ofVirtual().start(() -> answer(request, to));
  }

  private void answer(DecryptRequest request, StreamObserver<DecryptResponse> to) {
    var annotations = new HashMap<String, Bytes>();
    request
        .getAnnotationsMap()
        .forEach((name, value) -> annotations.put(name, Bytes.copyOf(value.toByteArray())));
    var wrapped =
        new Wrapped(
            new KekId(request.getKeyId()),
            Bytes.copyOf(request.getCiphertext().toByteArray()),
            new Annotations(annotations));
    try {
      byte[] plain = provider.unwrap(wrapped, budget).reveal();
      to.onNext(DecryptResponse.newBuilder().setPlaintext(ByteString.copyFrom(plain)).build());
      to.onCompleted();
    } catch (KmsException e) {
      to.onError(Status.UNKNOWN.withDescription(e.getMessage()).asRuntimeException());
    }
  }
}
