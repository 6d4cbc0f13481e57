package io.keyward.kms.plugin.preflight;

import io.keyward.kms.client.ClusterService;
import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.client.Preflight;
import io.keyward.kms.client.PreflightReport;
import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.config.ConfigProblem;
import io.keyward.kms.plugin.preflight.RevisionReport.Checked;
import io.keyward.kms.plugin.revision.RevisionDirectory;
import io.keyward.kms.plugin.revision.RevisionSocket;
import io.keyward.kms.plugin.revision.RevisionSockets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Tries a new key of a revision as an API server would, and checks that the plugins of the other
/// keys are healthy: an API server with this revision depends on all of them.
///
/// Plugins of the type `External` are left out, unless it is the key to try: they run outside of
/// the pod, and node agents check them.
public final class RevisionPreflight {
  private final RevisionDirectory files;
  private final Duration patience;
  private final Duration slow;

  /// @param patience how long to wait for plugins that are starting
  /// @param slow what a single call may take at most
  public RevisionPreflight(RevisionDirectory files, Duration patience, Duration slow) {
    this.files = files;
    this.patience = patience;
    this.slow = slow;
  }

  /// Tries the key with this number.
  ///
  /// @throws ConfigException if the revision does not name its socket
  public RevisionReport run(String key) throws InterruptedException {
    List<RevisionSocket> sockets = RevisionSockets.read(files);
    RevisionSocket tried =
        sockets.stream()
            .filter(one -> one.serial().equals(key))
            .findFirst()
            .orElseThrow(() -> refused("names no KMS key " + key));
    var checks = new ArrayList<RevisionSocket>();
    checks.add(tried);
    sockets.stream().filter(one -> !one.equals(tried) && !one.isExternal()).forEach(checks::add);
    return new RevisionReport(all(checks), warnings(tried));
  }

  /// All at the same time, the tried one first in the list.
  private List<Checked> all(List<RevisionSocket> sockets) throws InterruptedException {
    Map<String, PreflightReport> reports = new ConcurrentHashMap<>();
    var threads = new ArrayList<Thread>();
    for (RevisionSocket socket : sockets) {
      var preflight = new Preflight(endpoint(socket), patience, slow);
      boolean isTried = socket.equals(sockets.getFirst());
      threads.add(
          Thread.ofVirtual()
              .start(() ->
                  reports.put(socket.serial(), isTried ? preflight.run() : preflight.runStatus())));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return sockets.stream()
        .map(one -> new Checked(one.serial(), Objects.requireNonNull(reports.get(one.serial()))))
        .toList();
  }

  private PluginEndpoint endpoint(RevisionSocket socket) {
    try {
      return PluginEndpoint.parse(socket.endpoint());
    } catch (IllegalArgumentException e) {
      throw refused("key " + socket.serial() + ": " + e.getMessage());
    }
  }

  private ConfigException refused(String problem) {
    return new ConfigException(
        List.of(new ConfigProblem(files.path().resolve("encryption-config").toString(), problem)));
  }

  private static List<String> warnings(RevisionSocket tried) {
    Optional<String> inside = tried.kmsHost().filter(ClusterService::isNamedBy);
    return inside.stream()
        .map(host ->
            "the KMS at "
                + host
                + " is reached through the cluster itself: an API server that starts while the"
                + " cluster is down cannot decrypt; run the KMS outside of the cluster")
        .toList();
  }
}
