package io.keyward.kms.plugin.service;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.stub.StreamObserver;
import io.keyward.kms.proto.v1beta1.DecryptRequest;
import io.keyward.kms.proto.v1beta1.DecryptResponse;
import io.keyward.kms.proto.v1beta1.EncryptRequest;
import io.keyward.kms.proto.v1beta1.EncryptResponse;
import io.keyward.kms.proto.v1beta1.KeyManagementServiceGrpc.KeyManagementServiceImplBase;
import io.keyward.kms.proto.v1beta1.VersionRequest;
import io.keyward.kms.proto.v1beta1.VersionResponse;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Wrapped;

/// KMS v1beta1, for clusters on their way to v2. It has no room for a key id, so its cipher is a
/// marker followed by the v2 answer as a message.
final class KmsV1Service extends KeyManagementServiceImplBase {
  private static final String VERSION = "v1beta1";
  private static final ByteString MARKER = ByteString.copyFromUtf8("keyward1:");

  private final KmsProvider provider;
  private final CallRunner calls;

  KmsV1Service(KmsProvider provider, CallRunner calls) {
    this.provider = provider;
    this.calls = calls;
  }

  @Override
  public void version(VersionRequest request, StreamObserver<VersionResponse> to) {
    to.onNext(
        VersionResponse.newBuilder()
            .setVersion(VERSION)
            .setRuntimeName("keyward")
            .setRuntimeVersion("0.1.0")
            .build());
    to.onCompleted();
  }

  @Override
  public void encrypt(EncryptRequest request, StreamObserver<EncryptResponse> to) {
    calls.run(
        Operation.ENCRYPT,
        to,
        allowed -> {
          Wrapped wrapped = provider.wrap(Messages.dek(request.getPlain()), allowed);
          return EncryptResponse.newBuilder()
              .setCipher(MARKER.concat(Messages.encrypted(wrapped).toByteString()))
              .build();
        });
  }

  @Override
  public void decrypt(DecryptRequest request, StreamObserver<DecryptResponse> to) {
    calls.run(
        Operation.DECRYPT,
        to,
        allowed ->
            DecryptResponse.newBuilder()
                .setPlain(
                    ByteString.copyFrom(
                        provider.unwrap(stored(request.getCipher()), allowed).reveal()))
                .build());
  }

  private static Wrapped stored(ByteString cipher) {
    if (!cipher.startsWith(MARKER)) {
      throw new KmsException(Kind.CORRUPT, "the cipher was not made by this plugin");
    }
    try {
      return Messages.wrapped(
          io.keyward.kms.proto.v2.EncryptResponse.parseFrom(cipher.substring(MARKER.size())));
    } catch (InvalidProtocolBufferException e) {
      throw new KmsException(Kind.CORRUPT, "the cipher is damaged", e);
    }
  }
}
