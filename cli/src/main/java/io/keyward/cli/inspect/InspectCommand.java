package io.keyward.cli.inspect;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.cli.keys.DecryptionKeyOptions;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.audit.Coverage;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.read.CachingUnwrapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "inspect",
    header = "Show the provider, the key and the KEK of stored values.",
    mixinStandardHelpOptions = true,
    description = {
      "Reads the JSON output of etcdctl from standard input, or one raw value from a file. Needs no",
      "key."
    },
    footer = {
      "",
      "Exit codes: 0 all values could be read, 1 some could not or etcdctl printed only a part.",
      "",
      "Examples:",
      "  etcdctl get --prefix /registry/secrets -w json | keyward inspect",
      "  keyward inspect --key /registry/secrets/shop/card value.bin -o json",
      "  etcdctl get /registry/secrets/shop/card -w json \\",
      "    | keyward inspect --encryption-config encryption.yaml \\",
      "        --kms vault=unix:///run/kms.sock -o jsonl"
    })
public final class InspectCommand implements Callable<Integer> {
  /// How values are written.
  enum Output {
    table,
    json,
    yaml,
    jsonl
  }

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "a raw value, as `etcdctl get --print-value-only` prints it")
  private @Nullable Path file;

  @Option(names = "--key", description = "the etcd key of the raw value")
  private @Nullable String key;

  @Option(
      names = "--resource",
      description = "Whose rules apply, as secrets or deployments.apps (default: from the key).")
  private @Nullable String resource;

  @Option(
      names = "--prefix",
      description = "the API server's --etcd-prefix where it is none of the usual ones")
  private @Nullable String prefix;

  @Option(
      names = "--reveal",
      description =
          "DANGER: print the decrypted values. Needs --encryption-config, and -o json, yaml or"
              + " jsonl.")
  private boolean reveal;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table, json, yaml or jsonl, one value a line (default: table).")
  private Output output = Output.table;

  @Mixin private DecryptionKeyOptions keys = new DecryptionKeyOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Optional<EncryptionConfig> config = keys.config();
    checkUsage(config.isPresent());
    PrintWriter out = spec.commandLine().getOut();
    try (var plugins = keys.unwrapper()) {
      var inspector =
          new Inspector(
              config, new CachingUnwrapper(plugins), Inspector.Wishes.of(resource, prefix, reveal));
      ValueWriter writer = ValueWriter.of(output, out);
      Coverage coverage = forEachValue(value -> writer.write(inspector.inspect(value)));
      writer.end();
      out.flush();
      coverage
          .reasons()
          .forEach(
              reason -> spec.commandLine().getErr().println("coverage: INCOMPLETE: " + reason));
      return inspector.allRead() && coverage.isComplete() ? ExitCode.FINE : ExitCode.FINDINGS;
    }
  }

  private void checkUsage(boolean hasConfig) {
    if (file != null && key == null) {
      throw new ParameterException(
          spec.commandLine(), "a raw value needs --key: the etcd key it belongs to");
    }
    if (reveal && (!hasConfig || output == Output.table)) {
      throw new ParameterException(
          spec.commandLine(), "--reveal needs --encryption-config, and -o json, yaml or jsonl");
    }
    if (reveal) {
      spec.commandLine()
          .getErr()
          .println("keyward: --reveal: DECRYPTED SECRETS FOLLOW ON STANDARD OUTPUT");
    }
  }

  private Coverage forEachValue(Consumer<StoredValue> each) {
    Path raw = file;
    String name = key;
    try {
      if (raw != null && name != null) {
        each.accept(new StoredValue(ByteView.utf8(name), ByteView.wrap(Files.readAllBytes(raw))));
      } else if (name != null) {
        each.accept(new StoredValue(ByteView.utf8(name), ByteView.wrap(System.in.readAllBytes())));
      } else {
        InputStream in = System.in;
        return EtcdctlJson.read(in, each);
      }
      return new Coverage(List.of(), List.of());
    } catch (IOException e) {
      throw raw == null
          ? new CommandFailure("cannot read standard input", "", e)
          : DecryptionKeyOptions.unreadable(raw, e);
    }
  }
}
