package io.keyward.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.keyward.cli.CommandFailure;
import java.io.ByteArrayInputStream;

/// Whatever is piped into `inspect` is read or refused in words.
final class EtcdctlJsonFuzzTest {
  @FuzzTest
  void etcdctlJson(byte[] input) {
    try {
      EtcdctlJson.read(
          new ByteArrayInputStream(input),
          stored -> assertThat(stored.value().size()).isLessThanOrEqualTo(input.length));
    } catch (CommandFailure refused) {
      assertThat(refused.getMessage()).contains("etcdctl");
    }
  }
}
