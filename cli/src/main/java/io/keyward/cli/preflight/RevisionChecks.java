package io.keyward.cli.preflight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.CommandFailure;
import io.keyward.cli.output.Document;
import io.keyward.cli.output.Table;
import io.keyward.kms.client.PreflightReport.Finding;
import io.keyward.kms.client.PreflightReport.Step;
import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.preflight.PreflightResult;
import io.keyward.kms.plugin.preflight.RevisionPreflight;
import io.keyward.kms.plugin.preflight.RevisionReport;
import io.keyward.kms.plugin.preflight.RevisionReport.Checked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Tries a key of a revision in a pod with its plugins, and tells people and the operator.
final class RevisionChecks {
  private final String key;
  private final PreflightResult result;
  private final RevisionReport report;

  /// A revision that cannot be read has failed: the operator learns why from the result.
  RevisionChecks(RevisionPreflight preflight, String key) throws InterruptedException {
    this.key = key;
    RevisionReport found = new RevisionReport(List.of(), List.of());
    Optional<String> unread = Optional.empty();
    try {
      found = preflight.run(key);
    } catch (ConfigException e) {
      unread = Optional.of(String.valueOf(e.getMessage()));
    }
    report = found;
    result =
        unread
            .map(problem -> new PreflightResult(false, "", problem, List.of()))
            .orElseGet(report::result);
  }

  boolean passed() {
    return result.passed();
  }

  /// In place, since the kubelet mounts this one file.
  ///
  /// @throws CommandFailure if it cannot be written
  void write(@Nullable Path file) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(file, result.json());
    } catch (IOException e) {
      throw new CommandFailure(
          "cannot write the result to " + file + ": " + e.getClass().getSimpleName(),
          "correct --result-file, or the owner and mode of the file",
          e);
    }
  }

  String table() {
    var table = new Table("KEY", "CHECK", "RESULT", "TOOK");
    for (Checked one : report.checked()) {
      for (Step step : one.report().steps()) {
        String verdict = step.passed() ? "ok" : "failed";
        table.row(one.key(), step.name(), verdict, step.took().toMillis() + " ms");
      }
    }
    boolean empty = report.checked().stream().allMatch(one -> one.report().steps().isEmpty());
    var text = new StringBuilder(empty ? "" : table.toString());
    result.warnings().forEach(warning -> text.append("WARNING: ").append(warning).append('\n'));
    for (Checked one : report.checked()) {
      one.report().finding().ifPresent(finding -> text.append(failed(one.key(), finding)));
    }
    if (report.checked().isEmpty()) {
      text.append("FAILED: ").append(result.detail()).append('\n');
    }
    if (passed()) {
      text.append("PASSED: key ").append(key);
      text.append(" with key_id ").append(result.remoteKeyId()).append('\n');
    }
    return text.toString();
  }

  private static String failed(String key, Finding finding) {
    return "FAILED: key "
        + key
        + ": "
        + finding.problem().words()
        + "\n  "
        + finding.detail()
        + "\n  What to do: "
        + finding.problem().remedy()
        + "\n";
  }

  ObjectNode document() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("key", key);
    fields.put("passed", result.passed());
    fields.put("remoteKeyID", result.remoteKeyId());
    fields.put("detail", result.detail());
    fields.put("warnings", result.warnings());
    fields.put("plugins", report.checked().stream().map(RevisionChecks::plugin).toList());
    return Document.of("RevisionPreflight", fields);
  }

  private static Map<String, Object> plugin(Checked one) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("key", one.key());
    fields.putAll(PreflightCommand.fields(one.report()));
    return fields;
  }
}
