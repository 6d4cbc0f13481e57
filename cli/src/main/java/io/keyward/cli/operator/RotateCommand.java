package io.keyward.cli.operator;

import io.keyward.cli.ExitCode;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.cli.cluster.ClusterOptions;
import io.keyward.operator.ClusterReader;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Requests a new key, or that everything is re-encrypted under the same KMS key.
@Command(
    name = "rotate",
    header = "Request a new local key, or a re-encryption with the same KMS key.",
    mixinStandardHelpOptions = true,
    description = {
      "For a local key (aescbc, aesgcm, secretbox): requests a new key. The operator rolls it out,",
      "re-encrypts everything with it, and retires the old one.",
      "For a KMS key: requests that everything is re-encrypted with the same key. To rotate the key",
      "itself, rotate it in the KMS; the operator notices that and re-encrypts by itself.",
      "Returns at once; keyward status --watch shows the progress."
    },
    footer = {
      "",
      "Examples:",
      "  keyward rotate",
      "  keyward rotate --reason 'audit 2026-Q4'",
      "  keyward rotate --api-server openshift-apiserver --kubeconfig admin.kubeconfig",
      "",
      "Exit codes: 0 requested, 2 could not do it, 64 wrong usage."
    })
public final class RotateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description =
          "Is recorded with the key. A reason that was used for the last rotation requests nothing"
              + " (default: the current time).")
  private @Nullable String reason;

  @Option(
      names = "--api-server",
      paramLabel = "NAME",
      description = "The only API server to rotate the key of (default: all).")
  private @Nullable String apiServer;

  @Override
  public Integer call() {
    String text =
        reason == null
            ? "requested at " + Instant.now().truncatedTo(ChronoUnit.SECONDS)
            : reason.strip();
    return ClusterCall.explained(
        "check --kubeconfig and your permissions",
        () -> {
          try (var reader = ClusterReader.connect(cluster.file(), cluster.access())) {
            for (String line : reader.rotate(Optional.ofNullable(apiServer), text)) {
              spec.commandLine().getOut().println(line);
            }
            spec.commandLine().getOut().flush();
            return ExitCode.FINE;
          }
        });
  }
}
