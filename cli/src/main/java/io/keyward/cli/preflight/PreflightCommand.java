package io.keyward.cli.preflight;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.ExitCode;
import io.keyward.cli.output.Document;
import io.keyward.cli.output.Durations;
import io.keyward.cli.output.FormatOption;
import io.keyward.cli.output.Table;
import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.client.Preflight;
import io.keyward.kms.client.PreflightReport;
import io.keyward.kms.client.ProviderReport;
import io.keyward.kms.plugin.preflight.RevisionPreflight;
import io.keyward.kms.plugin.revision.RevisionDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Tries a plugin as an API server would, and says what is wrong and what to do.
@Command(
    name = "preflight",
    header = "Check a KMS v2 plugin, or the keys of a configuration.",
    mixinStandardHelpOptions = true,
    description = {
      "Tries a KMS v2 plugin as an API server would: Status until it is healthy, Encrypt, Decrypt,",
      "compare. Works with every plugin, not only with Keyward's.",
      "With --config it tries the keys of a plugin's configuration at their KMS instead: without a",
      "plugin, without a cluster. With --revision it tries one key of a revision beside the plugins",
      "of a pod, and checks that the plugins of the other keys are healthy."
    },
    footer = {
      "",
      "Examples:",
      "  keyward preflight --endpoint unix:///var/run/kmsplugin/payments.sock",
      "  keyward preflight --endpoint unix:///run/kms.sock --timeout 60s -o json",
      "  keyward preflight --provider vault --config /etc/keyward/plugin.yaml",
      "  keyward preflight --revision /var/run/secrets/kms-plugin --key 3 \\",
      "      --result-file /dev/termination-log",
      "",
      "Exit codes: 0 passed, 1 a check failed, 2 the configuration is refused, 64 wrong usage."
    })
public final class PreflightCommand implements Callable<Integer> {
  private static final Duration USUAL = Duration.ofSeconds(1);
  private static final Duration API_SERVER_TIMEOUT = Duration.ofSeconds(3);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--endpoint",
      paramLabel = "unix:///PATH",
      description = "The plugin's socket, as in an EncryptionConfiguration.")
  private @Nullable String endpoint;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A plugin's configuration, whose keys are tried at their KMS.")
  private @Nullable Path config;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description = "With --config: only the keys of this provider.")
  private @Nullable String provider;

  @Option(
      names = "--revision",
      paramLabel = "DIR",
      description = "The files of a revision, in a pod with its plugins.")
  private @Nullable Path revision;

  @Option(
      names = "--key",
      paramLabel = "N",
      description = "With --revision: the number of the key to try.")
  private @Nullable String key;

  @Option(
      names = "--result-file",
      paramLabel = "FILE",
      description = "With --revision: also write the result to this file, as JSON.")
  private @Nullable Path resultFile;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long to wait for a healthy plugin (default: 10s).")
  private Duration timeout = Duration.ofSeconds(10);

  @Option(
      names = "--slow",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "The longest time that one call may take (default: 1s; with --revision 3s, after which"
              + " an API server gives up).")
  private @Nullable Duration slow;

  @Mixin private FormatOption output = new FormatOption();

  @Override
  public Integer call() throws InterruptedException {
    boolean isPlugin = endpoint != null || config != null || provider != null;
    if (revision != null && key != null && !isPlugin) {
      return tryRevision(revision, key);
    }
    if (revision != null || key != null || resultFile != null) {
      throw new ParameterException(
          spec.commandLine(),
          "use --revision DIR and --key N together, without --endpoint, --config or --provider");
    }
    if (endpoint != null && config == null && provider == null) {
      return tryPlugin(endpoint);
    }
    if (endpoint == null && config != null) {
      return tryProviders(config);
    }
    throw new ParameterException(
        spec.commandLine(),
        "use --endpoint for a plugin, --config for its KMS, or --revision for the plugins of a pod");
  }

  private Duration slow(Duration otherwise) {
    return slow == null ? otherwise : slow;
  }

  private int tryRevision(Path directory, String serial) throws InterruptedException {
    var files = new RevisionDirectory(directory.toAbsolutePath());
    var preflight = new RevisionPreflight(files, timeout, slow(API_SERVER_TIMEOUT));
    var checks = new RevisionChecks(preflight, serial);
    checks.write(resultFile);
    output.print(spec.commandLine().getOut(), checks::table, checks::document);
    return checks.passed() ? ExitCode.FINE : ExitCode.FINDINGS;
  }

  private int tryProviders(Path file) {
    List<ProviderReport> reports = new ProviderChecks(file).run(provider, slow(USUAL));
    output.print(
        spec.commandLine().getOut(),
        () -> reports.stream().map(ProviderChecks::table).collect(joining("\n")),
        () -> ProviderChecks.document(reports));
    return reports.stream().allMatch(ProviderReport::passed) ? ExitCode.FINE : ExitCode.FINDINGS;
  }

  private int tryPlugin(String at) {
    PluginEndpoint parsed;
    try {
      parsed = PluginEndpoint.parse(at);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    PreflightReport report = new Preflight(parsed, timeout, slow(USUAL)).run();
    output.print(spec.commandLine().getOut(), () -> table(report), () -> document(report));
    return report.passed() ? ExitCode.FINE : ExitCode.FINDINGS;
  }

  private static String table(PreflightReport report) {
    var table = new Table("CHECK", "RESULT", "TOOK");
    for (var step : report.steps()) {
      table.row(step.name(), step.passed() ? "ok" : "failed", step.took().toMillis() + " ms");
    }
    var text = new StringBuilder(report.steps().isEmpty() ? "" : table.toString());
    report
        .finding()
        .ifPresentOrElse(
            finding -> {
              text.append("FAILED: ").append(finding.problem().words()).append('\n');
              text.append("  ").append(finding.detail()).append('\n');
              text.append("  What to do: ").append(finding.problem().remedy()).append('\n');
            },
            () ->
                text.append("PASSED: ")
                    .append(report.endpoint())
                    .append(" with key_id ")
                    .append(report.keyId())
                    .append('\n'));
    return text.toString();
  }

  private static ObjectNode document(PreflightReport report) {
    return Document.of("PluginPreflight", fields(report));
  }

  static Map<String, Object> fields(PreflightReport report) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("endpoint", report.endpoint().toString());
    fields.put("passed", report.passed());
    fields.put("keyId", report.keyId());
    fields.put("steps", report.steps().stream().map(PreflightCommand::json).toList());
    report
        .finding()
        .ifPresent(finding -> {
          fields.put("problem", finding.problem().name());
          fields.put("words", finding.problem().words());
          fields.put("detail", finding.detail());
          fields.put("remedy", finding.problem().remedy());
        });
    return fields;
  }

  static Map<String, Object> json(PreflightReport.Step step) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("name", step.name());
    fields.put("passed", step.passed());
    fields.put("millis", step.took().toNanos() / 1_000_000.0);
    return fields;
  }
}
