package io.keyward.node.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.codec.object.KmsEndpoints;
import io.keyward.core.health.Probe;
import io.keyward.core.model.key.KeySerial;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public final class PluginProbeTest {
  @TempDir private Path directory;
  private final List<String> asked = new ArrayList<>();
  private final PluginProbe probe =
      new PluginProbe(
          "kube-apiserver",
          new PluginObserver() {
            @Override
            public void answered(String apiServer, String operation, Duration took) {
              asked.add(operation);
            }

            @Override
            public void health(String apiServer, Map<String, Boolean> healthy) {}
          });

  @Test
  void aSocketThatIsMissingIsNotAsked() {
    assertThat(probe.health("unix://" + directory.resolve("a")))
        .isInstanceOfSatisfying(
            Probe.Failure.class,
            failure -> assertThat(failure.error()).contains("start the plugin on this node"));
    assertThat(probe.health("nonsense")).isInstanceOf(Probe.Failure.class);
    assertThat(asked).isEmpty();
  }

  @Test
  void oneThatIsSilentHasFailed() throws IOException {
    Path socket = directory.resolve("a");
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      assertThat(probe.health("unix://" + socket))
          .isInstanceOfSatisfying(
              Probe.Failure.class,
              failure ->
                  assertThat(failure.error()).startsWith("it is silent: no answer within 5 s"));
    }
    assertThat(asked).containsExactly("status");
  }

  @Test
  void socketsAreThoseOfOurKeys() {
    String config =
        """
        {"resources":[
          {"providers":[{"kms":{"name":"12_secrets","endpoint":"unix:///a"}},{"identity":{}}]},
          {"providers":[{"kms":{"name":"12_configmaps","endpoint":"unix:///a"}}]},
          {"providers":[{"kms":{"name":"theirs","endpoint":"unix:///b"}},
                        {"kms":{"name":"99999999999999999999_x","endpoint":"unix:///c"}}]}]}
        """;
    assertThat(KmsEndpoints.of(config.getBytes(UTF_8)))
        .containsExactly(Map.entry(new KeySerial(12), "unix:///a"));
    assertThat(KmsEndpoints.of("no".getBytes(UTF_8))).isEmpty();
  }
}
