package io.keyward.cli;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// Completions for fish, which picocli does not generate.
final class FishCompletion {
  private static final String SEEN = "__fish_seen_subcommand_from ";

  private FishCompletion() {}

  static String script(CommandLine root) {
    return "# Completions of keyward for fish.\ncomplete -c keyward -f\n"
        + commands(root, List.of()).collect(Collectors.joining());
  }

  /// The lines for one command and its subcommands. The path has the names below the root.
  private static Stream<String> commands(CommandLine line, List<String> path) {
    CommandSpec spec = line.getCommandSpec();
    Map<String, CommandLine> below = line.getSubcommands();
    String here = condition(path, below.keySet());
    Stream<String> names =
        below.entrySet().stream()
            .map(one -> entry(here, "-a " + one.getKey(), header(one.getValue())));
    Stream<String> options =
        spec.options().stream()
            .filter(option -> !option.hidden())
            .map(option -> entry(here, flags(option), description(option.description())));
    Stream<String> values =
        spec.positionalParameters().stream()
            .map(FishCompletion::candidates)
            .filter(words -> !words.isEmpty())
            .map(words -> entry(here, "-a " + quoted(words), ""));
    Stream<String> nested =
        below.entrySet().stream()
            .flatMap(one ->
                commands(
                    one.getValue(),
                    Stream.concat(path.stream(), Stream.of(one.getKey())).toList()));
    return Stream.of(names, options, values, nested).flatMap(lines -> lines);
  }

  /// True where the words of the path were typed and none of those that may follow.
  private static String condition(List<String> path, Collection<String> next) {
    if (path.isEmpty()) {
      return "__fish_use_subcommand";
    }
    String typed = path.stream().map(SEEN::concat).collect(Collectors.joining("; and "));
    return next.isEmpty() ? typed : typed + "; and not " + SEEN + String.join(" ", next);
  }

  private static String flags(OptionSpec option) {
    String names =
        Arrays.stream(option.names())
            .map(name ->
                name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
            .collect(Collectors.joining(" "));
    if (option.arity().max() == 0) {
      return names;
    }
    String words = words(option.type());
    // A value that is none of a few words may be a file.
    return names + (words.isEmpty() ? " -r -F" : " -x -a " + quoted(words));
  }

  private static String candidates(PositionalParamSpec parameter) {
    return words(parameter.type());
  }

  private static String words(Class<?> type) {
    Object[] constants = type.isEnum() ? type.getEnumConstants() : new Object[0];
    return Arrays.stream(constants).map(Object::toString).collect(Collectors.joining(" "));
  }

  private static String header(CommandLine line) {
    return description(line.getCommandSpec().usageMessage().header());
  }

  private static String description(String[] lines) {
    return lines.length == 0 ? "" : lines[0];
  }

  private static String entry(String condition, String what, String description) {
    String end = description.isEmpty() ? "" : " -d " + quoted(description);
    return "complete -c keyward -n " + quoted(condition) + " " + what + end + "\n";
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
