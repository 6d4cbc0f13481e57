package io.keyward.kms.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.keyward.kms.proto.v2.DecryptRequest;
import io.keyward.kms.proto.v2.DecryptResponse;
import io.keyward.kms.proto.v2.EncryptRequest;
import io.keyward.kms.proto.v2.EncryptResponse;
import io.keyward.kms.proto.v2.StatusResponse;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.tck.FakeKms.Mood;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A warm-up that fails only costs speed, so the plugin's own tests would not notice.
final class WarmUpCallerTest {
  private static final ByteString DEK = ByteString.copyFrom("a data encryption key", UTF_8);

  @TempDir private Path directory;
  private PluginFixture fixture;

  @BeforeEach
  void start() {
    fixture = new PluginFixture(directory).key("payments", Mood.GOOD).start();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static EncryptResponse encrypt(WarmUpCaller caller) throws IOException {
    var request = EncryptRequest.newBuilder().setPlaintext(DEK).build();
    return EncryptResponse.parseFrom(caller.call("Encrypt", request.toByteArray()));
  }

  private static DecryptRequest open(EncryptResponse wrapped) {
    return DecryptRequest.newBuilder()
        .setCiphertext(wrapped.getCiphertext())
        .setKeyId(wrapped.getKeyId())
        .putAllAnnotations(wrapped.getAnnotationsMap())
        .build();
  }

  @Test
  void makesManyRoundTripsOverOneConnection() throws IOException {
    try (var caller = new WarmUpCaller(fixture.socket("payments"))) {
      for (int i = 0; i < 300; i++) {
        var status = StatusResponse.parseFrom(caller.call("Status", new byte[0]));
        assertThat(status.getVersion()).isEqualTo("v2");
        var plain = caller.call("Decrypt", open(encrypt(caller)).toByteArray());
        assertThat(DecryptResponse.parseFrom(plain).getPlaintext()).isEqualTo(DEK);
      }
    }
  }

  @Test
  void saysWhenACallFailed() throws IOException {
    fixture.mood("payments", Mood.failing(Kind.DENIED));
    try (var caller = new WarmUpCaller(fixture.socket("payments"))) {
      assertThatThrownBy(() -> encrypt(caller))
          .isInstanceOf(IOException.class)
          .hasMessage("the call failed");
    }
  }

  @Test
  void seesThatTheServerIsGone() throws IOException {
    try (var caller = new WarmUpCaller(fixture.socket("payments"))) {
      encrypt(caller);
      fixture.plugin().close();
      assertThatThrownBy(() -> encrypt(caller)).isInstanceOf(IOException.class);
    }
  }
}
