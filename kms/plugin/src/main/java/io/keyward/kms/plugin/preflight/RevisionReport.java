package io.keyward.kms.plugin.preflight;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.client.PreflightReport;
import io.keyward.kms.spi.KekId;
import java.util.ArrayList;
import java.util.List;

/// What the preflight of a revision found.
///
/// @param checked the tried key first, then the others
/// @param warnings what will go wrong later; they fail nothing
public record RevisionReport(List<Checked> checked, List<String> warnings) {
  public RevisionReport {
    checked = List.copyOf(checked);
    warnings = List.copyOf(warnings);
  }

  /// One key.
  public record Checked(String key, PreflightReport report) {}

  public boolean passed() {
    return checked.stream().allMatch(one -> one.report().passed());
  }

  /// What a program reads.
  public PreflightResult result() {
    var details = new ArrayList<String>();
    for (Checked one : checked) {
      String prefix = one.equals(checked.getFirst()) ? "" : "key " + one.key() + ": ";
      one.report()
          .finding()
          .map(f -> f.problem().words() + ": " + f.detail() + "; " + f.problem().remedy())
          .ifPresent(words -> details.add(prefix + words));
    }
    String keyId = checked.getFirst().report().keyId();
    boolean isKeyId = keyId.getBytes(UTF_8).length <= KekId.MAX_BYTES;
    return new PreflightResult(
        passed(), isKeyId ? keyId : "", String.join(". ", details), warnings);
  }
}
