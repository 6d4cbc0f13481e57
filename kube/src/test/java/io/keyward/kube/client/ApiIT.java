package io.keyward.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.SharedControlPlane;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// Requests to a real API server.
public final class ApiIT {
  /// A thousand sites that look at the same time; the client library fails what goes beyond the
  /// streams of its one connection.
  @Test
  void manyRequestsAtOnceAreAllAnswered() throws Exception {
    try (var api =
            Api.connect(Optional.of(SharedControlPlane.cleared().kubeconfig(0)), Optional.empty());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var looks = new ArrayList<Callable<Boolean>>();
      for (int i = 0; i < 1_000; i++) {
        looks.add(() -> api.get("/api/v1/namespaces/default").isPresent());
      }
      for (var look : threads.invokeAll(looks)) {
        assertThat(look.get()).isTrue();
      }
      assertThat(api.sent()).isEqualTo(1_000);
    }
  }
}
