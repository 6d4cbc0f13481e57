package io.keyward.cli.inspect;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.cli.keys.KeyOptions;
import io.keyward.etcd.bytes.Bytes;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.read.CachingUnwrapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
    mixinStandardHelpOptions = true,
    description = {
      "Tells what stored values are: which provider, which key, which KEK. Reads what etcdctl",
      "prints as JSON from standard input, or one raw value from a file. Needs no key for it."
    },
    footer = {
      "",
      "Exit codes: 0 all could be read, 1 some could not.",
      "",
      "Examples:",
      "  etcdctl get --prefix /registry/secrets -w json | keyward inspect",
      "  keyward inspect --key /registry/secrets/shop/card value.bin -o json",
      "  etcdctl get /registry/secrets/shop/card -w json \\",
      "    | keyward inspect --config encryption.yaml --kms vault=unix:///run/kms.sock -o jsonl"
    })
public final class InspectCommand implements Callable<Integer> {
  /// How values are written.
  enum Output {
    table,
    json,
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
      description = "whose rules apply, as secrets or deployments.apps; default: from the key")
  private @Nullable String resource;

  @Option(
      names = "--prefix",
      description = "the API server's --etcd-prefix where it is none of the usual ones")
  private @Nullable String prefix;

  @Option(
      names = "--reveal",
      description = "DANGER: print the decrypted values. Needs --config, and json or jsonl")
  private boolean reveal;

  @Option(
      names = {"-o", "--output"},
      defaultValue = "table",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}")
  private Output output = Output.table;

  @Mixin private KeyOptions keys = new KeyOptions();

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
      forEachValue(value -> writer.write(inspector.inspect(value)));
      writer.end();
      out.flush();
      return inspector.allRead() ? ExitCode.FINE : ExitCode.FINDINGS;
    }
  }

  private void checkUsage(boolean hasConfig) {
    if (file != null && key == null) {
      throw new ParameterException(
          spec.commandLine(), "a raw value needs --key: the etcd key it belongs to");
    }
    if (reveal && (!hasConfig || output == Output.table)) {
      throw new ParameterException(
          spec.commandLine(), "--reveal needs --config, and -o json or jsonl");
    }
    if (reveal) {
      spec.commandLine()
          .getErr()
          .println("keyward: --reveal: DECRYPTED SECRETS FOLLOW ON STANDARD OUTPUT");
    }
  }

  private void forEachValue(Consumer<StoredValue> each) {
    Path raw = file;
    String name = key;
    try {
      if (raw != null && name != null) {
        each.accept(new StoredValue(Bytes.utf8(name), Bytes.wrap(Files.readAllBytes(raw))));
      } else if (name != null) {
        each.accept(new StoredValue(Bytes.utf8(name), Bytes.wrap(System.in.readAllBytes())));
      } else {
        InputStream in = System.in;
        EtcdctlJson.read(in, each);
      }
    } catch (IOException e) {
      throw raw == null
          ? new CommandFailure("cannot read standard input", "", e)
          : KeyOptions.unreadable(raw, e);
    }
  }
}
