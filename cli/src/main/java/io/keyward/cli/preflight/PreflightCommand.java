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
      "plugin, without a cluster."
    },
    footer = {
      "",
      "Examples:",
      "  keyward preflight --endpoint unix:///var/run/kmsplugin/payments.sock",
      "  keyward preflight --endpoint unix:///run/kms.sock --timeout 60s -o json",
      "  keyward preflight --provider vault --config /etc/keyward/plugin.yaml",
      "",
      "Exit codes: 0 passed, 1 a check failed, 2 the configuration is refused, 64 wrong usage."
    })
public final class PreflightCommand implements Callable<Integer> {
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
      names = "--timeout",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long to wait for a healthy plugin (default: 10s).")
  private Duration timeout = Duration.ofSeconds(10);

  @Option(
      names = "--slow",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "The longest time that one call may take (default: 1s).")
  private Duration slow = Duration.ofSeconds(1);

  @Mixin private FormatOption output = new FormatOption();

  @Override
  public Integer call() {
    if (endpoint != null && config == null && provider == null) {
      return tryPlugin(endpoint);
    }
    if (endpoint == null && config != null) {
      return tryProviders(config);
    }
    throw new ParameterException(
        spec.commandLine(), "say --endpoint for a plugin, or --config for its KMS, and not both");
  }

  private int tryProviders(Path file) {
    List<ProviderReport> reports = new ProviderChecks(file).run(provider, slow);
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
    PreflightReport report = new Preflight(parsed, timeout, slow).run();
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
    return Document.of("PluginPreflight", fields);
  }

  static Map<String, Object> json(PreflightReport.Step step) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("name", step.name());
    fields.put("passed", step.passed());
    fields.put("millis", step.took().toNanos() / 1_000_000.0);
    return fields;
  }
}
