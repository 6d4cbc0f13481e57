package io.keyward.cli.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.cli.Version;
import io.keyward.cli.keys.DecryptionKeyOptions;
import io.keyward.cli.output.Document;
import io.keyward.cli.output.Progress;
import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.ObjectCheck;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.live.LiveSource;
import io.keyward.storage.read.CachingUnwrapper;
import io.keyward.storage.run.AuditRun;
import io.keyward.storage.run.AuditSource;
import io.keyward.storage.run.DataDirectorySource;
import io.keyward.storage.run.SnapshotSource;
import io.keyward.storage.run.SourceFailure;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "audit",
    header = "Report which key protects every byte in etcd.",
    mixinStandardHelpOptions = true,
    description = {
      "Reads live values, the history, free pages of the file and the write-ahead log. Never writes",
      "to etcd and never prints a value."
    },
    footer = {
      "",
      "Without --encryption-config and --expect-encrypted, the audit expects that secrets are",
      "encrypted, and nothing else.",
      "A damaged or changing source never answers a question with yes: the report shows what it",
      "covers, and the exit code is 1.",
      "Exit codes: 0 clean, 1 findings or an expectation not met, 2 could not audit.",
      "",
      "Examples:",
      "  keyward audit --snapshot backup.db",
      "  keyward audit --snapshot backup.db --expect-encrypted secrets,configmaps",
      "  keyward audit --snapshot backup.db --unused-key key1 && echo 'key1 may go'",
      "  keyward audit --snapshot backup.db --needs > backup.db.keys",
      "  keyward audit --data-dir /var/lib/etcd -o html > audit.html",
      "  keyward audit --kubeadm --expect-encrypted secrets,configmaps",
      "  keyward audit --etcd https://127.0.0.1:2379 --etcd-ca ca.crt \\",
      "    --etcd-cert client.crt --etcd-key client.key"
    })
public final class AuditCommand implements Callable<Integer> {
  /// How the report is written.
  enum Output {
    table,
    json,
    yaml,
    html,
    sarif
  }

  /// Exactly one of these.
  static final class Target {
    @Option(
        names = "--snapshot",
        paramLabel = "FILE",
        description = "a snapshot, or the db file of a stopped member")
    private @Nullable Path snapshot;

    @Option(
        names = "--data-dir",
        paramLabel = "DIR",
        description = "the data directory of a stopped member, or a copy: also reads the log")
    private @Nullable Path dataDir;

    @Option(
        names = "--etcd",
        paramLabel = "URL",
        split = ",",
        description = {
          "a running etcd, as https://127.0.0.1:2379; sees live data only. With several members",
          "of one etcd; if one does not respond, the next one is used"
        })
    private List<String> etcd = List.of();

    @Option(
        names = "--kubeadm",
        description = {
          "the running etcd of this kubeadm node: takes its address and the client certificate",
          "from /etc/kubernetes/manifests; run it as root on a control-plane node"
        })
    private boolean kubeadm;
  }

  @ArgGroup(multiplicity = "1")
  private Target target = new Target();

  @Mixin private ExpectOptions expect = new ExpectOptions();

  @Mixin private EtcdOptions etcdOptions = new EtcdOptions();

  @Mixin private DecryptionKeyOptions keys = new DecryptionKeyOptions();

  @Option(
      names = "--host-root",
      paramLabel = "DIR",
      description =
          "With --kubeadm: the directory at which the node's files are mounted (default: /).")
  private @Nullable Path hostRoot;

  @Option(
      names = "--needs",
      description = "print only the keys that a restore needs, to keep with the backup")
  private boolean needs;

  @Option(
      names = "--prefix",
      description = "the API server's --etcd-prefix where it is none of the usual ones")
  private @Nullable String prefix;

  @Option(
      names = "--max-findings",
      paramLabel = "N",
      description = "List at most this many findings of one rule (default: 1000).")
  private int maxFindings = 1000;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table, json, yaml, html or sarif (default: table).")
  private Output output = Output.table;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Optional<EncryptionConfig> config = keys.config();
    Optional<KubeadmEtcd> node = node();
    try (var plugins = keys.unwrapper()) {
      var kms = new CachingUnwrapper(plugins);
      Optional<ObjectCheck> check =
          config.map(known -> new ObjectCheck(known, kms, keys.plugins()));
      var run =
          new AuditRun(
              expect.expectation(spec.commandLine(), config),
              check,
              Optional.ofNullable(prefix).or(() -> node.flatMap(KubeadmEtcd::prefix)),
              maxFindings);
      AuditReport report = audit(run, source(node));
      write(report);
      // A list of keys that may lack some is no answer; neither is one of a clean half.
      boolean yes = needs ? report.coverage().isComplete() : report.isClean();
      return yes ? ExitCode.FINE : ExitCode.FINDINGS;
    }
  }

  private Optional<KubeadmEtcd> node() {
    if (!target.kubeadm && hostRoot != null) {
      throw new ParameterException(spec.commandLine(), "--host-root needs --kubeadm");
    }
    return target.kubeadm
        ? Optional.of(KubeadmEtcd.of(hostRoot == null ? Path.of("/") : hostRoot))
        : Optional.empty();
  }

  private AuditSource source(Optional<KubeadmEtcd> node) {
    Path snapshot = target.snapshot;
    Path dataDir = target.dataDir;
    if (snapshot != null) {
      return new SnapshotSource(snapshot);
    }
    if (dataDir != null) {
      return new DataDirectorySource(dataDir);
    }
    if (!target.etcd.isEmpty()) {
      return new LiveSource(etcdOptions.access(target.etcd));
    }
    return new LiveSource(
        etcdOptions.access(
            spec.commandLine(),
            node.orElseThrow(() ->
                new CommandFailure(
                    "nothing to audit", "give --snapshot, --data-dir, --etcd or --kubeadm"))));
  }

  private AuditReport audit(AuditRun run, AuditSource source) {
    try (var progress = Progress.on(spec.commandLine().getErr())) {
      return run.on(source, progress);
    } catch (SourceFailure e) {
      throw new CommandFailure(e.problem(), remedy(e), e);
    }
  }

  /// Names the other options of this command.
  private static String remedy(SourceFailure failure) {
    return switch (failure.kind()) {
      case IS_DIRECTORY -> "give a snapshot file, or pass the directory as --data-dir";
      case NOT_A_DATABASE -> "give an etcd snapshot, or a stopped member's db file";
      case NOT_A_DATA_DIRECTORY, UNREADABLE, NO_ANSWER, INTERRUPTED -> failure.remedy();
    };
  }

  private ObjectNode document(AuditReport report) {
    return needs ? JsonReport.needs(report) : JsonReport.of(report);
  }

  private void write(AuditReport report) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        switch (output) {
          case table -> needs ? TableReport.needs(report) : TableReport.of(report);
          case json -> Document.json(document(report));
          case yaml -> Document.yaml(document(report));
          case html -> HtmlReport.of(report);
          case sarif -> SarifReport.of(report, Version.current());
        });
    out.flush();
  }
}
