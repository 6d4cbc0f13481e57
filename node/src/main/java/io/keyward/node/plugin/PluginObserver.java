package io.keyward.node.plugin;

import java.time.Duration;
import java.util.Map;

/// Is told what plugins of this node did when they were asked.
public interface PluginObserver {
  PluginObserver NOBODY =
      new PluginObserver() {
        @Override
        public void answered(String apiServer, String operation, Duration took) {}

        @Override
        public void health(String apiServer, Map<String, Boolean> healthy) {}
      };

  /// A call came back, well or not.
  ///
  /// @param apiServer which uses the plugin
  /// @param operation `status`, `encrypt` or `decrypt`
  void answered(String apiServer, String operation, Duration took);

  /// What the last look showed, of all sockets that an API server uses now.
  ///
  /// @param healthy by endpoint, as the API server calls it
  void health(String apiServer, Map<String, Boolean> healthy);
}
