package io.keyward.cli;

import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Commands for developers. A source checkout has them, the distribution does not: they need the
/// testbed and the simulator, which no production machine should have.
final class CheckoutCommands {
  private static final Set<String> NAMES = Set.of("demo", "dev", "simulate");

  private CheckoutCommands() {}

  /// Those on the class path of this process, by name.
  static Map<String, Class<?>> found() {
    var found = new HashMap<String, Class<?>>();
    for (CommandSource source : ServiceLoader.load(CommandSource.class)) {
      found.putAll(source.commands());
    }
    return found;
  }

  /// Why these arguments cannot be executed here.
  ///
  /// @return null if they name no such command, or if this process has it
  static @Nullable String refusal(String... args) {
    int at = args.length > 1 && args[0].equals("help") ? 1 : 0;
    if (args.length <= at || !NAMES.contains(args[at]) || found().containsKey(args[at])) {
      return null;
    }
    return "the command "
        + args[at]
        + " is part of a source checkout only, where ./keyward runs it; this distribution does not"
        + " contain it";
  }
}
