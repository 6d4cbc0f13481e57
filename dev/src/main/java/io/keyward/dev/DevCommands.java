package io.keyward.dev;

import io.keyward.cli.CommandSource;
import io.keyward.dev.cluster.DevCommand;
import io.keyward.dev.demo.DemoCommand;
import io.keyward.dev.simulate.SimulateCommand;
import java.util.Map;

/// Adds the commands of this module to the command line. `ServiceLoader` finds it.
public final class DevCommands implements CommandSource {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of(
        "demo", DemoCommand.class, "dev", DevCommand.class, "simulate", SimulateCommand.class);
  }
}
