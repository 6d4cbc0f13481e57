package io.keyward.dev.simulate;

import com.sun.management.OperatingSystemMXBean;
import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.testkit.sim.Brain;
import io.keyward.testkit.sim.Event;
import io.keyward.testkit.sim.Mutant;
import io.keyward.testkit.sim.Scenario;
import io.keyward.testkit.sim.Shrinker;
import io.keyward.testkit.sim.Simulator;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Runs simulated clusters and reports the first that breaks a statement of the design.
@Command(
    name = "simulate",
    header = "Try to break the encryption engine in simulated clusters.",
    mixinStandardHelpOptions = true,
    description = {
      "Tries to break the encryption engine: runs random lives of simulated clusters and checks",
      "after every step that no data can be lost. No cluster is needed."
    },
    footer = {
      "",
      "Examples:",
      "  keyward simulate --runs 1000",
      "  keyward simulate --runs 1000000 --seed 7000000 --result bench/results/simulator.json",
      "  keyward simulate --runs 1 --seed 4711 --shrink > scenario.txt",
      "  keyward simulate --scenario scenario.txt",
      "  keyward simulate --mutant NO_READ_ONLY_STAGE --shrink",
      "",
      "Exit codes: 0 all runs held, 1 a run broke a statement, 2 could not do it, 64 wrong usage."
    })
public final class SimulateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--runs", paramLabel = "N", description = "How many runs (default: 1000).")
  private long runs = 1000;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of the first run; the next runs count up (default: 1).")
  private long seed = 1;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many runs at the same time (default: one per processor).")
  private int threads;

  @Option(
      names = "--result",
      paramLabel = "FILE",
      description = {
        "Write a JSON record of the run, also if it is stopped with Ctrl-C or SIGTERM. To continue,",
        "start the next run with the seed after its last one."
      })
  private @Nullable Path resultFile;

  @Option(
      names = "--commit",
      paramLabel = "ID",
      description = "The commit for the record (default: the one that is checked out).")
  private @Nullable String commit;

  @Option(names = "--shrink", description = "Print a short scenario that still fails, on stdout.")
  private boolean shrink;

  @Option(
      names = "--scenario",
      paramLabel = "FILE",
      description = "Replay a scenario file, in place of random runs.")
  private @Nullable Path scenario;

  @Option(
      names = "--mutant",
      paramLabel = "NAME",
      description = {
        "Build a known mistake into the engine, to see that it is found. One of:",
        "${COMPLETION-CANDIDATES}."
      })
  private @Nullable Mutant mutant;

  @Override
  public Integer call() {
    if (runs < 1) {
      throw new ParameterException(spec.commandLine(), "--runs must be at least 1");
    }
    if (threads < 0) {
      throw new ParameterException(spec.commandLine(), "--threads must be at least 1");
    }
    Path file = scenario;
    return file == null ? runSeeds() : replay(file);
  }

  private Brain brain() {
    Mutant mistake = mutant;
    return mistake == null ? Brain.ENGINE : mistake;
  }

  private int runSeeds() {
    var run = new SeedRun(seed, runs, brain());
    long started = System.nanoTime();
    int count = threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
    try (var signal = new StopSignal(run::stop)) {
      SeedRun.Result result = run.run(count, lives -> progress(lives, started));
      Path file = resultFile;
      if (file != null) {
        new ResultFile(
                result,
                Optional.ofNullable(commit).or(ResultFile::checkedOut),
                signal.isReceived(),
                count,
                seconds(started),
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
                    / 1e9)
            .write(file);
      }
      int code = tell(result);
      signal.finish(code);
      return code;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("the simulation was interrupted", "start it again", e);
    }
  }

  private static double seconds(long started) {
    return (System.nanoTime() - started) / 1e9;
  }

  private void progress(long lives, long started) {
    PrintWriter err = spec.commandLine().getErr();
    err.printf(
        Locale.ROOT,
        "%d of %d runs held, %.0f s, %.0f runs per second%n",
        lives,
        runs,
        seconds(started),
        lives / seconds(started));
    err.flush();
  }

  private int tell(SeedRun.Result result) {
    if (result.first().isPresent()) {
      SeedRun.Failed failed = result.first().orElseThrow();
      out().println("# seed " + failed.seed() + " fails");
      return tell(Scenario.of(failed.seed()), failed.outcome());
    }
    String seeds = result.lives() == 0 ? "" : ", seeds " + result.from() + " to " + result.to();
    out()
        .println(
            result.lives()
                + " runs held"
                + seeds
                + ", "
                + result.steps()
                + " steps"
                + (result.lives() < runs ? "; stopped early" : ""));
    out().flush();
    return ExitCode.FINE;
  }

  private int replay(Path file) {
    Scenario life;
    try {
      life = checked(Scenario.parse(Files.readString(file)));
    } catch (IOException e) {
      throw new CommandFailure(
          "cannot read the scenario file", "check that it exists and can be read", e);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          "not a scenario: " + e.getMessage(), "write one with keyward simulate --shrink", e);
    }
    Simulator.Outcome outcome = Simulator.run(life, brain());
    if (outcome.violation().isPresent()) {
      return tell(life, outcome);
    }
    out().println("the scenario held, " + outcome.steps() + " steps");
    return ExitCode.FINE;
  }

  /// A file may come from anywhere: the numbers pick things of the world, so they must fit it.
  private static Scenario checked(Scenario life) {
    if (life.instances().stream().anyMatch(count -> count < 1 || count > 5)) {
      throw new IllegalArgumentException("an API server has 1 to 5 instances");
    }
    for (Event event : life.events()) {
      if (event.a() < 0 || event.b() < 0) {
        throw new IllegalArgumentException("a number of an event is negative");
      }
    }
    return life;
  }

  private int tell(Scenario life, Simulator.Outcome outcome) {
    outcome
        .violation()
        .ifPresent(v -> out().println("# statement " + v.statement() + ": " + v.what()));
    if (shrink) {
      out().print(Shrinker.shrink(life, brain()).text());
    }
    out().flush();
    return ExitCode.FINDINGS;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
