package io.keyward.cli;

import java.util.Map;

/// A module that adds commands to the command line. `ServiceLoader` finds it on the class path, so
/// that this module need not depend on it: the distribution ships this module only.
public interface CommandSource {
  /// Commands by name. Classes, not instances: only the requested command is created.
  Map<String, Class<?>> commands();
}
