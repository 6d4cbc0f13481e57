package io.keyward.cli.recover;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.cli.keys.DecryptionKeyOptions;
import io.keyward.cli.output.Printable;
import io.keyward.cli.output.Progress;
import io.keyward.etcd.snapshot.EtcdFile;
import io.keyward.etcd.snapshot.Trailer;
import io.keyward.storage.audit.Coverage;
import io.keyward.storage.audit.FileDamage;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.read.CachingUnwrapper;
import io.keyward.storage.read.StorageReader;
import io.keyward.storage.run.SnapshotFile;
import io.keyward.storage.run.SourceFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "recover",
    header = "Decrypt objects from an etcd snapshot without a cluster.",
    mixinStandardHelpOptions = true,
    description = {
      "Kubernetes objects and custom resources become files for kubectl apply. Protobuf types of",
      "other API servers are written as raw bytes."
    },
    footer = {
      "",
      "A damaged snapshot gives back every object that is still whole, and exit code 1.",
      "Exit codes: 0 all chosen objects were recovered, 1 some were not or the snapshot is damaged,",
      "2 could not do it.",
      "",
      "Examples:",
      "  keyward recover --snapshot backup.db --encryption-config encryption.yaml \\",
      "    --kms vault=unix:///run/kms.sock --key '/registry/secrets/payments/*' --to rescued/",
      "  keyward recover --snapshot backup.db --encryption-config encryption.yaml \\",
      "    --key /registry/secrets/payments/card --stdout | kubectl apply -f -"
    })
public final class RecoverCommand implements Callable<Integer> {
  /// The form of recovered objects.
  enum Output {
    yaml,
    json
  }

  @Option(names = "--snapshot", required = true, paramLabel = "FILE", description = "the backup")
  private @Nullable Path snapshot;

  @Option(
      names = "--key",
      required = true,
      paramLabel = "KEY",
      description = "etcd keys; * matches anything within one part, ** matches anything")
  private List<String> keys = List.of();

  @Option(
      names = "--to",
      paramLabel = "DIR",
      description = "a new directory for the objects; only you can read it")
  private @Nullable Path directory;

  @Option(names = "--stdout", description = "DANGER: print the decrypted objects instead")
  private boolean stdout;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "yaml or json (default: yaml).")
  private Output output = Output.yaml;

  @Option(
      names = "--as-stored",
      description = "also what the server had set: uid, times, owners, status")
  private boolean asStored;

  @Option(
      names = "--prefix",
      description = "the API server's --etcd-prefix where it is none of the usual ones")
  private @Nullable String prefix;

  @Mixin private DecryptionKeyOptions keyOptions = new DecryptionKeyOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Path file = snapshot;
    if (stdout == (directory != null) || file == null) {
      throw new ParameterException(spec.commandLine(), "say where to: --to DIR or --stdout");
    }
    EncryptionConfig config =
        keyOptions
            .config()
            .orElseThrow(() ->
                new ParameterException(spec.commandLine(), "recovery needs --encryption-config"));
    try (var plugins = keyOptions.unwrapper();
        var sink = sink()) {
      var reader = new StorageReader(config, new CachingUnwrapper(plugins));
      var recovery = new Recovery(reader, KeyPattern.of(keys), Optional.ofNullable(prefix), sink);
      Coverage coverage = recover(file, recovery);
      if (recovery.count() > 0) {
        sink.complete(coverage);
      }
      return report(recovery, coverage);
    }
  }

  private ObjectSink sink() {
    Path target = directory;
    var text = new ObjectText(output, asStored);
    return target == null
        ? new ObjectSink.Stream(spec.commandLine().getOut(), text)
        : ObjectDirectory.create(target, text);
  }

  private Coverage recover(Path file, Recovery recovery) {
    try (var progress = Progress.on(spec.commandLine().getErr())) {
      return SnapshotFile.read(file, opened -> recover(opened, recovery, progress));
    } catch (SourceFailure e) {
      throw new CommandFailure(e.problem(), e.remedy(), e);
    }
  }

  private static Coverage recover(EtcdFile file, Recovery recovery, Progress progress) {
    progress.begin(file.mvcc().revisions());
    // Counting revisions walked the whole tree, so damage is known by now.
    if (file.problems().isEmpty()) {
      file.mvcc()
          .forEach((record, live) -> {
            if (live) {
              recovery.take(record);
            }
            progress.step();
          });
    } else {
      new Salvage(file.mvcc(), recovery).run();
    }
    Trailer trailer = file.trailer();
    return Coverage.of(FileDamage.of(file, trailer), FileDamage.limits(trailer));
  }

  /// On stderr: stdout may hold the objects.
  private int report(Recovery recovery, Coverage coverage) {
    recovery.failures().forEach((key, why) -> tell("not recovered: " + key + ": " + why));
    recovery.raw().forEach((key, kind) -> tell("not decoded, raw: " + key + ": " + kind));
    recovery
        .incomplete()
        .forEach((key, fields) ->
            tell("incomplete: " + key + ": a newer Kubernetes wrote unknown fields: " + fields));
    recovery
        .salvaged()
        .forEach(key ->
            tell("salvaged: " + key + ": from a page outside the tree; may have been deleted"));
    if (!coverage.isComplete()) {
      tell("The snapshot is damaged. Objects may be missing, or older than their last version:");
      coverage.reasons().forEach(reason -> tell("  " + reason));
    }
    tell("recovered " + recovery.count() + " objects, failed " + recovery.failures().size());
    boolean nothing = recovery.count() == 0 && recovery.failures().isEmpty();
    if (nothing && coverage.isComplete()) {
      throw new CommandFailure("no live key matches", "list keys with: keyward audit, or etcdctl");
    }
    boolean whole =
        recovery.failures().isEmpty() && recovery.incomplete().isEmpty() && coverage.isComplete();
    return whole ? ExitCode.FINE : ExitCode.FINDINGS;
  }

  /// Names in etcd may hold anything.
  private void tell(String line) {
    spec.commandLine().getErr().println(Printable.of(line));
  }
}
