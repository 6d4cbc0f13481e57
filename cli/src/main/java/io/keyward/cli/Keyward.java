package io.keyward.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.cli.audit.AuditCommand;
import io.keyward.cli.config.ConfigCommand;
import io.keyward.cli.inspect.InspectCommand;
import io.keyward.cli.keystore.KeystoreCommand;
import io.keyward.cli.node.NodeAgentCommand;
import io.keyward.cli.operator.ExplainCommand;
import io.keyward.cli.operator.OperatorCommand;
import io.keyward.cli.operator.RotateCommand;
import io.keyward.cli.operator.StatusCommand;
import io.keyward.cli.output.CheckedOutput;
import io.keyward.cli.output.Logs;
import io.keyward.cli.output.Printable;
import io.keyward.cli.plugin.PluginCommand;
import io.keyward.cli.preflight.PreflightCommand;
import io.keyward.cli.recover.RecoverCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The root of all commands, and the one place where failures become a sentence and an exit code.
@Command(
    name = "keyward",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    description = {
      "Keeps what Kubernetes API servers store in etcd encrypted under keys of an external KMS,",
      "and proves which key protects every stored byte."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit codes: 0 fine, 1 findings or a failed check, 2 could not do it, 64 wrong usage."
    })
public final class Keyward implements Callable<Integer> {
  /// One line per command of the distribution. Classes, not instances: only the one that is asked
  /// for is loaded.
  private static final Map<String, Class<?>> COMMANDS =
      Collections.unmodifiableMap(
          new TreeMap<>(
              Map.ofEntries(
                  Map.entry("audit", AuditCommand.class),
                  Map.entry("completion", CompletionCommand.class),
                  Map.entry("config", ConfigCommand.class),
                  Map.entry("explain", ExplainCommand.class),
                  Map.entry("help", CommandLine.HelpCommand.class),
                  Map.entry("inspect", InspectCommand.class),
                  Map.entry("keystore", KeystoreCommand.class),
                  Map.entry("node-agent", NodeAgentCommand.class),
                  Map.entry("operator", OperatorCommand.class),
                  Map.entry("plugin", PluginCommand.class),
                  Map.entry("preflight", PreflightCommand.class),
                  Map.entry("recover", RecoverCommand.class),
                  Map.entry("rotate", RotateCommand.class),
                  Map.entry("status", StatusCommand.class),
                  Map.entry("version", VersionCommand.class))));

  /// These speak about the other commands.
  private static final Set<String> NEEDS_ALL = Set.of("completion", "help");

  /// Wide enough that no example is wrapped: a wrapped one lacks its backslash.
  private static final int WIDTH = 100;

  @Spec private CommandSpec spec = CommandSpec.create();

  private Keyward() {}

  static void main(String[] args) {
    Logs.setUp();
    CheckedOutput stdout = CheckedOutput.standard();
    var err = new PrintWriter(System.err, true, UTF_8);
    System.exit(run(stdout, err, args));
  }

  /// Runs one command. The exit code is decided after everything that was printed is written,
  /// flushed and closed: a verdict that nobody can read is none.
  static int run(CheckedOutput stdout, PrintWriter err, String... args) {
    PrintWriter out = stdout.writer();
    int code;
    try {
      code =
          checked(args, err)
              ? commandLine(args).setOut(out).setErr(err).execute(args)
              : ExitCode.USAGE;
    } catch (Throwable unexpected) {
      code = Unexpected.explain(unexpected, err);
    }
    out.close();
    IOException failure = stdout.failure();
    if (failure == null) {
      return code;
    }
    String why = "cannot write to standard output: " + failure.getMessage();
    return Unexpected.explain(
        new CommandFailure(why, "the output is incomplete; free space or write it elsewhere"), err);
  }

  /// The JVM replaces what it cannot decode, and a replaced name would match nothing. A command for
  /// developers may be missing.
  private static boolean checked(String[] args, PrintWriter err) {
    for (String argument : args) {
      if (argument.indexOf('\ufffd') >= 0) {
        err.println("keyward: an argument is not valid UTF-8: " + Printable.of(argument));
        err.println("  start Keyward by its launcher, which sets LC_ALL=C.UTF-8");
        return false;
      }
    }
    String refusal = CheckoutCommands.refusal(args);
    if (refusal != null) {
      err.println("keyward: " + refusal);
    }
    return refusal == null;
  }

  /// The command line for these arguments. Building the model of every command costs a plugin tens
  /// of milliseconds at start, so where the first argument names a command only that one is built.
  static CommandLine commandLine(String... args) {
    var line = new CommandLine(new Keyward());
    commands(args).forEach(line::addSubcommand);
    return line.setUsageHelpWidth(WIDTH)
        .setExecutionExceptionHandler(Keyward::explainFailure)
        .setParameterExceptionHandler(Keyward::explainUsage);
  }

  private static Map<String, Class<?>> commands(String... args) {
    String name = args.length == 0 || NEEDS_ALL.contains(args[0]) ? "" : args[0];
    Class<?> shipped = COMMANDS.get(name);
    if (shipped != null) {
      return Map.of(name, shipped);
    }
    Map<String, Class<?>> checkout = CheckoutCommands.found();
    Class<?> added = checkout.get(name);
    if (added != null) {
      return Map.of(name, added);
    }
    var all = new TreeMap<>(COMMANDS);
    all.putAll(checkout);
    return all;
  }

  /// Without a command: the list of commands. It is wrong usage still, and not the output of a
  /// command.
  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    line.usage(line.getErr());
    return ExitCode.USAGE;
  }

  private static int explainFailure(
      Exception failure, CommandLine line, CommandLine.ParseResult parsed) {
    return Unexpected.explain(failure, line.getErr());
  }

  private static int explainUsage(ParameterException wrong, String[] args) {
    CommandLine line = wrong.getCommandLine();
    line.getErr().println("keyward: " + Printable.of(String.valueOf(wrong.getMessage())));
    CommandLine.UnmatchedArgumentException.printSuggestions(wrong, line.getErr());
    line.getErr().println("  try: " + line.getCommandSpec().qualifiedName() + " --help");
    return ExitCode.USAGE;
  }
}
