package io.keyward.cli.preflight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.CommandFailure;
import io.keyward.cli.output.Document;
import io.keyward.cli.output.Table;
import io.keyward.cli.plugin.PluginRun;
import io.keyward.kms.client.PreflightReport.Step;
import io.keyward.kms.client.ProviderPreflight;
import io.keyward.kms.client.ProviderReport;
import io.keyward.kms.plugin.Providers;
import io.keyward.kms.plugin.config.ConfigReader;
import io.keyward.kms.plugin.config.KeyConfig;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.spi.KmsProviderFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Tries the keys of a plugin's configuration through their providers, without a plugin.
final class ProviderChecks {
  /// Held here, since the JDK forgets the level of a logger that nobody holds.
  private static final Logger PROVIDERS = Logger.getLogger("io.keyward.kms");

  private final PluginConfig config;
  private final Map<String, KmsProviderFactory> providers;

  ProviderChecks(Path file) {
    PROVIDERS.setLevel(Level.WARNING); // a person reads the report; logins are no news
    providers = Providers.load();
    config = PluginRun.read(file, new ConfigReader(providers));
  }

  /// One report for each key of the provider; of every key where none is named.
  List<ProviderReport> run(@Nullable String provider, Duration slow) {
    var reports = new ArrayList<ProviderReport>();
    for (KeyConfig key : config.keys()) {
      KmsProviderFactory factory = providers.get(key.provider());
      if (factory != null && (provider == null || provider.equals(key.provider()))) {
        var preflight = new ProviderPreflight(factory, config.timing().callBudget(), slow);
        reports.add(preflight.run(key.name(), key.settings()));
      }
    }
    if (reports.isEmpty()) {
      throw new CommandFailure(
          "the configuration has no key with provider " + provider,
          "leave --provider out to try all keys");
    }
    return reports;
  }

  static String table(ProviderReport report) {
    var text = new StringBuilder();
    text.append("key ").append(report.key()).append(", provider ").append(report.provider());
    text.append('\n');
    var table = new Table("CHECK", "RESULT", "TOOK");
    for (Step step : report.steps()) {
      table.row(step.name(), step.passed() ? "ok" : "failed", step.took().toMillis() + " ms");
    }
    text.append(table);
    report
        .kek()
        .credentialsUntil()
        .ifPresent(end -> text.append("The login is good until ").append(end).append('\n'));
    report
        .kek()
        .warnings()
        .forEach(warning -> text.append("WARNING: ").append(warning).append('\n'));
    report
        .finding()
        .ifPresentOrElse(
            finding -> {
              text.append("FAILED: ").append(finding.words()).append('\n');
              if (!finding.detail().isEmpty()) {
                text.append("  ").append(finding.detail()).append('\n');
              }
              text.append("  What to do: ").append(finding.remedy()).append('\n');
            },
            () -> text.append("PASSED with key_id ").append(report.keyId()).append('\n'));
    return text.toString();
  }

  static ObjectNode document(List<ProviderReport> reports) {
    return Document.of(
        "ProviderPreflight", Map.of("keys", reports.stream().map(ProviderChecks::fields).toList()));
  }

  private static Map<String, Object> fields(ProviderReport report) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("key", report.key());
    fields.put("provider", report.provider());
    fields.put("passed", report.passed());
    fields.put("keyId", report.keyId());
    fields.put("steps", report.steps().stream().map(PreflightCommand::json).toList());
    fields.put("state", report.kek().state().name());
    report.kek().usableUntil().ifPresent(end -> fields.put("usableUntil", end.toString()));
    report
        .kek()
        .credentialsUntil()
        .ifPresent(end -> fields.put("credentialsUntil", end.toString()));
    fields.put("warnings", report.kek().warnings());
    report
        .finding()
        .ifPresent(finding -> {
          fields.put("words", finding.words());
          fields.put("detail", finding.detail());
          fields.put("remedy", finding.remedy());
        });
    return fields;
  }
}
