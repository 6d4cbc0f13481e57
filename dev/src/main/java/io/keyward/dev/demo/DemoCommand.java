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
      "kube-apiservers are static pods. An admin edits one field, and the operator takes them from",
      "plaintext to a KMS and through a rotation, one after the other, while readers and writers use",
      "every API server. With --full also from a local key to that KMS, to another KMS, and back to",
      "plaintext. Reports after each step what was proven. The first run takes longer, because the",
      "servers are built. Needs root for the mount namespaces of the nodes. Leaves nothing behind."
    },
    footer = {
      "",
      "Examples:",
      "  keyward demo",
      "  keyward demo --full --secrets 2000",
      "  keyward demo --keep /tmp/demo     (keeps logs and etcd's files to look at)",
      "",
      "Exit codes: 0 everything was proven, 1 something was not, 2 the servers could not be run."
    })
public final class DemoCommand implements Callable<Integer> {
  private static final String SHORT =
      "Three nodes go from plaintext to a KMS, through a rotation and an audit, in about 3 minutes.";
  private static final String LONG =
      "Three nodes go through every kind of key and back to plaintext, in about 8 minutes.";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--secrets", paramLabel = "N", description = "How many secrets (default: 500).")
  private int secrets = 500;

  @Option(names = "--full", description = "Play the long story.")
  private boolean full;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Work in this new directory and do not remove it.")
  private @Nullable Path keep;

  @Override
  public Integer call() {
    Root.require("demo");
    var story = new Story(spec.commandLine().getOut());
    story.tell(full ? LONG : SHORT);
    try (var stage = Stage.in(keep, story)) {
      new Chapters(story, stage, secrets, full).play();
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
