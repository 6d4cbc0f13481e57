package io.keyward.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kube.client.ClusterFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

public final class FailureWordsTest {
  @Test
  void aDiskSaysWhatItRefuses() {
    assertThat(disk(new IOException("No space left on device")))
        .isEqualTo("cannot write /x: No space left on device");
    assertThat(disk(new FileSystemException("/x", null, "Read-only file system")))
        .isEqualTo("cannot write /x: Read-only file system");
    assertThat(disk(new AccessDeniedException("/x")))
        .isEqualTo("cannot write /x: AccessDeniedException");
  }

  private static String disk(IOException cause) {
    return FailureWords.of(new UncheckedIOException("cannot write /x", cause));
  }

  @Test
  void aClusterSpeaksForItself() {
    assertThat(FailureWords.of(new ClusterFailure("it holds no configuration")))
        .isEqualTo("it holds no configuration");
  }

  @Test
  void wordsThatMightHoldSomethingOfAFileAreNotPassedOn() {
    assertThat(FailureWords.of(new IllegalArgumentException("aescbc: c2VjcmV0")))
        .isEqualTo("it cannot be read (IllegalArgumentException)");
  }

  @Test
  void aFieldManagerIsNeverTooLong() {
    assertThat(NodeReporter.manager("a")).isEqualTo("keyward-node-agent-a");
    String one = NodeReporter.manager("x".repeat(253));
    assertThat(one).hasSizeLessThanOrEqualTo(128).startsWith("keyward-node-agent-");
    assertThat(NodeReporter.manager("x".repeat(252) + "y")).isNotEqualTo(one);
    assertThat(NodeReporter.manager("x".repeat(109))).hasSize(128).endsWith("x");
  }
}
