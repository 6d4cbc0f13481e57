package io.keyward.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Manual pages in roff, one for each command. The build writes them; no command does.
final class ManPages {
  private static final String EXAMPLES = "Examples:";
  private static final String EXIT = "Exit codes: ";

  private final String date;
  private final String version;

  ManPages(String date, String version) {
    this.date = date;
    this.version = version;
  }

  /// Writes all pages to a directory: `ManPages DIRECTORY DATE`.
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    var pages = new ManPages(args[1], Version.current().version());
    for (Map.Entry<String, String> page : pages.of(Keyward.commandLine()).entrySet()) {
      Files.writeString(directory.resolve(page.getKey() + ".1"), page.getValue());
    }
  }

  /// The pages of a command and of its subcommands, by their names.
  SortedMap<String, String> of(CommandLine line) {
    var pages = new TreeMap<String, String>();
    pages.put(name(line), page(line));
    subcommands(line).forEach(one -> pages.putAll(of(one)));
    return pages;
  }

  private static String name(CommandLine line) {
    return line.getCommandSpec().qualifiedName("-");
  }

  private static Stream<CommandLine> subcommands(CommandLine line) {
    return line.getSubcommands().values().stream()
        .filter(one -> !one.getCommandName().equals("help"))
        .filter(one -> !one.getCommandSpec().usageMessage().hidden());
  }

  private String page(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    var text = new StringBuilder();
    text.append(
        ".TH \"%s\" \"1\" \"%s\" \"Keyward %s\" \"Keyward\"\n"
            .formatted(name(line).toUpperCase(Locale.ROOT), date, version));
    section(text, "NAME").append(escaped(name(line) + " - " + header(line))).append('\n');
    section(text, "SYNOPSIS").append(".nf\n");
    text.append(lines(new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF)).synopsis(0)))
        .append(".fi\n");
    section(text, "DESCRIPTION").append(paragraphs(spec.usageMessage().description()));
    entries(text, "ARGUMENTS", arguments(spec));
    entries(text, "OPTIONS", options(spec));
    entries(text, "COMMANDS", commands(line));
    footer(text, List.of(spec.usageMessage().footer()));
    Optional.ofNullable(line.getParent())
        .ifPresent(parent -> section(text, "SEE ALSO").append(line(name(parent) + "(1)")));
    return text.toString();
  }

  private static StringBuilder section(StringBuilder text, String title) {
    return text.append(".SH ").append(title).append('\n');
  }

  /// Without the full stop. The program itself has no header.
  private static String header(CommandLine line) {
    String[] header = line.getCommandSpec().usageMessage().header();
    return header.length == 0
        ? "encrypt what Kubernetes stores in etcd, and prove it"
        : header[0].replaceFirst("\\.$", "");
  }

  private record Definition(String term, List<String> text) {}

  private static List<Definition> arguments(CommandSpec spec) {
    return spec.positionalParameters().stream()
        .filter(one -> !one.hidden())
        .map(one ->
            new Definition("\\fI" + escaped(one.paramLabel()) + "\\fR", List.of(one.description())))
        .toList();
  }

  private static List<Definition> options(CommandSpec spec) {
    return spec.options().stream()
        .filter(one -> !one.hidden())
        .map(one -> new Definition(term(one), List.of(one.description())))
        .toList();
  }

  private static String term(OptionSpec option) {
    String names =
        Stream.of(option.names())
            .map(one -> "\\fB" + escaped(one) + "\\fR")
            .collect(Collectors.joining(", "));
    return option.arity().max() == 0
        ? names
        : names + " \\fI" + escaped(option.paramLabel()) + "\\fR";
  }

  private static List<Definition> commands(CommandLine line) {
    return subcommands(line)
        .map(one ->
            new Definition(
                "\\fB" + escaped(name(one)) + "\\fR(1)",
                List.of(one.getCommandSpec().usageMessage().header())))
        .toList();
  }

  private static void entries(StringBuilder text, String title, List<Definition> entries) {
    if (entries.isEmpty()) {
      return;
    }
    section(text, title);
    for (Definition one : entries) {
      text.append(".TP\n").append(one.term()).append('\n').append(paragraphs(one.text()));
    }
  }

  /// Examples are lines below their title; exit codes are a sentence; everything else is a note.
  private static void footer(StringBuilder text, List<String> footer) {
    Map<FooterPart, List<String>> parts = parts(footer);
    parts.forEach((part, lines) -> {
      section(text, part.title);
      text.append(
          part == FooterPart.EXAMPLES ? ".nf\n" + paragraphs(lines) + ".fi\n" : paragraphs(lines));
    });
  }

  private enum FooterPart {
    NOTES("NOTES"),
    EXIT("EXIT STATUS"),
    EXAMPLES("EXAMPLES");

    private final String title;

    FooterPart(String title) {
      this.title = title;
    }
  }

  private static Map<FooterPart, List<String>> parts(List<String> footer) {
    var parts = new EnumMap<FooterPart, List<String>>(FooterPart.class);
    FooterPart part = FooterPart.NOTES;
    for (String one : footer) {
      boolean outdented = !one.startsWith(" ") && !one.isBlank();
      if (one.equals(EXAMPLES)) {
        part = FooterPart.EXAMPLES;
      } else if (one.startsWith(EXIT)) {
        part = FooterPart.EXIT;
        parts.computeIfAbsent(part, _ -> new ArrayList<>()).add(one.substring(EXIT.length()));
      } else if (!one.isBlank()) {
        part = part == FooterPart.EXAMPLES && outdented ? FooterPart.NOTES : part;
        parts.computeIfAbsent(part, _ -> new ArrayList<>()).add(one);
      } else if (part == FooterPart.EXIT) {
        part = FooterPart.NOTES;
      }
    }
    return parts;
  }

  private static String paragraphs(String... lines) {
    return paragraphs(List.of(lines));
  }

  private static String paragraphs(List<String> lines) {
    return lines.stream()
        .map(one -> one.isBlank() ? ".PP\n" : line(one))
        .collect(Collectors.joining());
  }

  private static String lines(String text) {
    return text.lines().map(ManPages::line).collect(Collectors.joining());
  }

  private static String line(String text) {
    return escaped(text) + "\n";
  }

  /// A line must not start with a dot or an apostrophe.
  private static String escaped(String text) {
    String safe = text.replace("\\", "\\e").replace("-", "\\-");
    return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
  }
}
