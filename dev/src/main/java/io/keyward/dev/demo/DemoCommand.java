package io.keyward.dev.demo;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.dev.Root;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Plays the story of an encrypted cluster on this machine.
@Command(
    name = "demo",
    header = "Show the whole life of an encrypted cluster on real servers.",
    mixinStandardHelpOptions = true,
    description = {
      "Shows on real servers what Keyward does: three control-plane nodes on this machine, whose",
      "kube-apiservers are static pods, and an aggregated API server that is a Deployment. An",
      "admin edits one field, and the operator takes them from plaintext to AES, to a KMS, through",
      "a rotation, to another KMS, and back, one after the other, while readers and writers use",
      "every API server. Says after each step what was proven. Takes some minutes; the first time",
      "longer, because the servers are built. Needs root. Leaves nothing behind."
    },
    footer = {
      "",
      "Examples:",
      "  keyward demo",
      "  keyward demo --secrets 2000",
      "  keyward demo --keep /tmp/demo     (keeps logs and etcd's files to look at)",
      "",
      "Exit codes: 0 everything was proven, 1 something was not, 2 the servers could not be run."
    })
public final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--secrets", paramLabel = "N", description = "How many secrets (default: 500).")
  private int secrets = 500;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Work in this new directory and do not remove it.")
  private @Nullable Path keep;

  @Override
  public Integer call() {
    Root.require("demo");
    var story = new Story(spec.commandLine().getOut());
    try (var stage = Stage.in(keep, story)) {
      new Chapters(story, stage, secrets).play();
      return story.end() ? ExitCode.FINE : ExitCode.FINDINGS;
    } catch (TestbedException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), keepHint(), e);
    } catch (IOException e) {
      throw new CommandFailure("the demo could not write its files", "is the disk full?", e);
    }
  }

  private String keepHint() {
    return keep == null
        ? "run it again with --keep DIR to keep the logs"
        : "the logs are in " + keep;
  }
}
