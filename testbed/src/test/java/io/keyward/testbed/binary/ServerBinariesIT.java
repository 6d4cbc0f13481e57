package io.keyward.testbed.binary;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// With the real Go. The smallest program stands for all: the others are built by the tests that
/// start them.
final class ServerBinariesIT {
  @Test
  void aFreshCacheGetsAProgramThatRuns(@TempDir Path cache) throws Exception {
    var environment = new HashMap<>(System.getenv());
    environment.put("KEYWARD_CACHE", cache.toString());

    Path etcdctl = new ServerBinaries(environment, Talk.stderr()).ensure(ServerBinary.ETCDCTL);

    Process process = new ProcessBuilder(etcdctl.toString(), "version").start();
    String version = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(version).contains("etcdctl version: 3.6");
  }
}
