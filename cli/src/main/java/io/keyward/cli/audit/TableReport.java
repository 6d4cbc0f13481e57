package io.keyward.cli.audit;

import com.google.errorprone.annotations.FormatMethod;
import io.keyward.cli.output.Printable;
import io.keyward.cli.output.Table;
import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Auditor.Location;
import io.keyward.storage.audit.Census;
import io.keyward.storage.audit.Coverage;
import io.keyward.storage.audit.Finding;
import io.keyward.storage.audit.Seal;
import io.keyward.storage.audit.Source;
import io.keyward.storage.audit.Tally;
import java.util.Locale;

/// The report for a terminal.
final class TableReport {
  /// More would scroll the summary away; the JSON has all.
  private static final int MAX_FINDINGS = 50;

  private TableReport() {}

  static String of(AuditReport report) {
    var text = new StringBuilder();
    source(report.source(), text);
    coverage(report.coverage(), "", text);
    census("LIVE", report.census(Location.LIVE), text);
    census("NOT YET APPLIED (live after the next start)", report.census(Location.UNAPPLIED), text);
    census("HISTORY (until compaction)", report.census(Location.HISTORY), text);
    census("FREE PAGES (until defragmentation)", report.census(Location.FREE_PAGES), text);
    census("WRITE-AHEAD LOG", report.census(Location.LOG), text);
    findings(report, text);
    return text.toString();
  }

  private static void source(Source source, StringBuilder text) {
    String digest = source.digestValid().map(valid -> valid ? "valid" : "WRONG").orElse("none");
    String name = Printable.of(source.name());
    append(text, "%s: revision %d, digest %s%n", name, source.revision(), digest);
    append(
        text,
        "%d live keys, %d revisions, %d of them deletions%n",
        source.liveKeys(),
        source.revisions(),
        source.tombstones());
  }

  /// What the verdict is about, before the verdict. `mark` makes comments of the lines.
  private static void coverage(Coverage coverage, String mark, StringBuilder text) {
    if (coverage.isComplete() && mark.isEmpty()) {
      append(text, "coverage: complete%n");
    }
    for (String reason : coverage.reasons()) {
      append(text, "%scoverage: INCOMPLETE: %s%n", mark, Printable.of(reason));
    }
    for (String limit : coverage.limits()) {
      append(text, "%scoverage: %s%n", mark, Printable.of(limit));
    }
  }

  private static void census(String title, Census census, StringBuilder text) {
    if (census.seals().isEmpty()) {
      return;
    }
    append(text, "%n%s%n", title);
    var table = new Table("RESOURCE", "PROVIDER", "NAME", "KEK", "OBJECTS", "BYTES", "DEKS");
    census
        .seals()
        .forEach(
            (resource, seals) -> seals.forEach((seal, tally) -> row(table, resource, seal, tally)));
    text.append(table);
  }

  private static void row(Table table, String resource, Seal seal, Tally tally) {
    Object deks = tally.wrappedDeks() == 0 ? "-" : (Object) tally.wrappedDeks();
    table.row(
        resource,
        seal.provider().word(),
        dash(seal.name()),
        dash(seal.keyId()),
        tally.objects(),
        tally.bytes(),
        deks);
  }

  private static String dash(String word) {
    return word.isEmpty() ? "-" : word;
  }

  private static void findings(AuditReport report, StringBuilder text) {
    if (report.isClean()) {
      append(text, "%nno findings%n");
      return;
    }
    append(text, "%nFINDINGS%n");
    var counts = new Table("SEVERITY", "RULE", "COUNT", "MEANING");
    for (Finding.Rule rule : Finding.Rule.values()) {
      if (report.count(rule) > 0) {
        counts.row(rule.severity().word(), rule.word(), report.count(rule), rule.words());
      }
    }
    var list = new Table("RULE", "KEY", "DETAIL");
    report.findings().stream()
        .limit(MAX_FINDINGS)
        .forEach(found -> list.row(found.rule().word(), dash(found.key()), found.detail()));
    text.append(counts).append(String.format(Locale.ROOT, "%n")).append(list);
    long more = report.findings().size() + report.unlisted() - MAX_FINDINGS;
    if (more > 0) {
      append(text, "and %d more; -o json lists them%n", more);
    }
  }

  /// One key a line, to keep beside a backup.
  static String needs(AuditReport report) {
    var text = new StringBuilder();
    if (!report.coverage().isComplete()) {
      coverage(report.coverage(), "# ", text);
    }
    for (Seal seal : report.needs()) {
      String name = Printable.of(dash(seal.name()));
      append(text, "%s\t%s\t%s%n", seal.provider().word(), name, Printable.of(dash(seal.keyId())));
    }
    return text.toString();
  }

  @FormatMethod
  private static void append(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values));
  }
}
