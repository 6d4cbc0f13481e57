package io.keyward.node.plugin;

import io.keyward.codec.object.MonitorCodec;
import io.keyward.codec.object.MonitorCodec.Observed;
import io.keyward.core.health.Probe;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.sidecar.SidecarPlanner;
import io.keyward.node.host.PluginAccess;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/// The file in which the monitor beside the API server of this node writes how its plugins do. A
/// plugin's socket is in the pod, where this agent does not see it.
final class MonitorReports {
  private static final Logger LOG = System.getLogger(MonitorReports.class.getName());

  /// The monitor writes every ten seconds.
  private static final Duration HOLDS = Duration.ofSeconds(25);

  private static final int MOST = 1 << 18;

  private final Path file;
  private boolean isShared;

  MonitorReports(Path file) {
    this.file = file;
  }

  /// What the monitor saw last.
  SortedMap<KeySerial, Observed> read() {
    try {
      return Files.exists(file) && Files.size(file) <= MOST
          ? MonitorCodec.decode(Files.readAllBytes(file))
          : Collections.emptySortedMap();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot read " + file + ": " + e.getMessage());
      return Collections.emptySortedMap();
    }
  }

  /// The report on one plugin. A monitor that stopped writing is a plugin that does not respond: in
  /// most cases they are one process.
  static Observed of(SortedMap<KeySerial, Observed> seen, KeySerial serial, Instant now) {
    Observed found = seen.get(serial);
    return found != null && now.isBefore(found.checked().plus(HOLDS))
        ? found
        : new Observed(
            new Probe.Failure(
                "the plugin monitor does not report; see the log of container "
                    + SidecarPlanner.KEYWARD
                    + " in the pod of the API server"),
            now,
            List.of());
  }

  /// Lets the monitor write: the directory is on a file system that a reboot empties, and the
  /// kubelet creates it for root.
  ///
  /// @param isNeeded whether there are plugins to monitor
  void share(boolean isNeeded) {
    Path directory = file.getParent();
    if (isShared || directory == null || !isNeeded) {
      return;
    }
    try {
      Files.createDirectories(directory);
      PluginAccess.share(directory, "rwxrwx---");
      isShared = true;
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot share " + directory + " with the plugins: " + e.getMessage());
    }
  }
}
