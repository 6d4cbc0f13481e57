package io.keyward.dev.cluster;

import io.keyward.cli.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `keyward dev down`
@Command(
    name = "down",
    header = "Stops the cluster and deletes its files.",
    footer = {
      "",
      "Examples:",
      "  keyward dev down",
      "  keyward dev down --keep    # keyward dev up brings it back with its data"
    })
final class DownCommand implements Callable<Integer> {
  @Mixin private DevOptions options = new DevOptions();

  @Option(names = "--keep", description = "Keeps the files.")
  private boolean keep;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    boolean there = options.with(err, cluster -> cluster.down(keep));
    err.println(there ? "keyward: the cluster is down" : "keyward: there is no cluster");
    return ExitCode.FINE;
  }
}
