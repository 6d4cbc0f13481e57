package io.keyward.cli.audit;

import io.keyward.cli.output.Printable;
import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Auditor.Location;
import io.keyward.storage.audit.Census;
import io.keyward.storage.audit.Coverage;
import io.keyward.storage.audit.Finding;
import io.keyward.storage.audit.Seal;
import io.keyward.storage.audit.Source;
import io.keyward.storage.audit.Tally;
import io.keyward.storage.envelope.ProviderKind;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/// The report as one page that needs nothing else: no scripts, no fonts, no network. Prints well.
final class HtmlReport {
  private static final Map<ProviderKind, String> COLOURS =
      Map.of(
          ProviderKind.IDENTITY, "#c0392b",
          ProviderKind.AESCBC, "#d98e04",
          ProviderKind.AESGCM, "#b7a10b",
          ProviderKind.SECRETBOX, "#5b8c2a",
          ProviderKind.KMS_V1, "#2f7f86",
          ProviderKind.KMS_V2, "#1f5fa8",
          ProviderKind.UNKNOWN, "#555555");

  /// Plaintext that nobody expects to be encrypted.
  private static final String OPEN = "#c9c9c9";

  private static final String STYLE =
      """
      body{font:15px/1.45 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}
      table{border-collapse:collapse;width:100%;margin:.5em 0 1.5em}
      th,td{text-align:left;padding:.25em .6em;border-bottom:1px solid #ddd;vertical-align:top}
      td.n,th.n{text-align:right;white-space:nowrap}
      td.w{min-width:9em}
      code{font-size:90%;overflow-wrap:anywhere}
      .bar{display:flex;height:1.3em;border:1px solid #999}
      .error{color:#a11d12;font-weight:600}.warning{color:#8a5a00;font-weight:600}
      .ok{color:#2c6e1f;font-weight:600}
      .key{display:inline-block;width:.9em;height:.9em;margin:0 .3em 0 0;vertical-align:-.1em}
      .legend span{margin-right:1em;white-space:nowrap}.legend .key{margin-right:.3em}
      @media print{body{margin:0;padding:0;max-width:none;font-size:10px}h2{break-after:avoid}tr{break-inside:avoid}td.w{min-width:7em}.bar,.key{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
      """;

  private final StringBuilder page = new StringBuilder();

  private HtmlReport() {}

  static String of(AuditReport report) {
    return new HtmlReport().write(report);
  }

  private String write(AuditReport report) {
    page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    page.append("<title>Keyward audit</title>\n<style>\n").append(STYLE).append("</style>");
    page.append("</head><body>\n<h1>Which key protects what is stored</h1>\n");
    coverage(report.coverage());
    source(report);
    page.append("<h2>Distribution</h2>\n");
    legend();
    distribution(report);
    census("Live objects", report.census(Location.LIVE));
    namespaces(report.census(Location.LIVE));
    census(
        "Log entries not yet applied, live after the next start",
        report.census(Location.UNAPPLIED));
    census("History, until compaction", report.census(Location.HISTORY));
    census("Free pages, until defragmentation", report.census(Location.FREE_PAGES));
    census("Write-ahead log", report.census(Location.LOG));
    needs(report);
    findings(report);
    return page.append("</body></html>\n").toString();
  }

  private void source(AuditReport report) {
    Source source = report.source();
    String digest =
        source.digestValid().map(valid -> valid ? "valid" : "wrong").orElse("none in the file");
    page.append("<p>")
        .append(code(source.name()))
        .append("<br>Revision ")
        .append(source.revision());
    page.append(", ").append(source.liveKeys()).append(" live keys, ").append(source.revisions());
    page.append(" revisions, ").append(source.tombstones()).append(" deletions. Digest: ");
    page.append(digest).append(".</p>\n<p>");
    page.append(
        report.isClean()
            ? "<span class=\"ok\">No findings.</span>"
            : "<span class=\"error\">There are findings.</span> They are listed below.");
    page.append("</p>\n");
    summary(report);
  }

  /// At the top: a reader must know what the rest is about before believing it.
  private void coverage(Coverage coverage) {
    if (coverage.isComplete()) {
      page.append("<p><span class=\"ok\">Coverage: complete.</span>");
    } else {
      page.append(
          "<p><span class=\"error\">Coverage: INCOMPLETE.</span> This report proves nothing");
      page.append(" about what it could not see.</p>\n<ul>");
      coverage.reasons().forEach(reason -> page.append("<li>").append(escape(reason)));
      page.append("</ul>\n<p>");
    }
    coverage
        .limits()
        .forEach(limit -> page.append(" Not covered: ").append(escape(limit)).append("."));
    page.append("</p>\n");
  }

  /// How often each rule is broken, before all lists: the page may be long.
  private void summary(AuditReport report) {
    if (report.isClean()) {
      return;
    }
    page.append("<table><tr><th>Severity<th>Rule<th class=\"n\">Findings<th>Meaning</tr>\n");
    for (Finding.Rule rule : Finding.Rule.values()) {
      if (report.count(rule) > 0) {
        String severity = rule.severity().word();
        page.append("<tr><td class=\"").append(severity).append("\">").append(severity);
        page.append("<td>").append(rule.word()).append("<td class=\"n\">");
        page.append(report.count(rule)).append("<td>").append(escape(rule.words()));
        page.append("</tr>\n");
      }
    }
    page.append("</table>\n");
  }

  private void namespaces(Census census) {
    page.append("<h2>Live objects by namespace</h2>\n<table><tr><th>Resource<th>Namespace");
    page.append("<th class=\"n\">Objects<th class=\"n\">Bytes</tr>\n");
    for (String resource : census.seals().keySet()) {
      census
          .namespaces(resource)
          .forEach((namespace, tally) -> {
            page.append("<tr><td>").append(code(resource)).append("<td>").append(code(namespace));
            page.append("<td class=\"n\">").append(tally.objects()).append("<td class=\"n\">");
            page.append(tally.bytes()).append("</tr>\n");
          });
    }
    page.append("</table>\n");
  }

  private void legend() {
    page.append("<p class=\"legend\">");
    legend(colour(ProviderKind.IDENTITY), "plaintext that should be encrypted");
    legend(OPEN, "plaintext that may be");
    for (ProviderKind kind : ProviderKind.values()) {
      if (kind != ProviderKind.IDENTITY) {
        legend(colour(kind), kind.word());
      }
    }
    page.append("</p>\n");
  }

  private void legend(String colour, String words) {
    page.append("<span><span class=\"key\" style=\"background:").append(colour);
    page.append("\"></span>").append(words).append("</span>\n");
  }

  private static String colour(ProviderKind kind) {
    return COLOURS.getOrDefault(kind, "#555555");
  }

  private void distribution(AuditReport report) {
    Census census = report.census(Location.LIVE);
    page.append("<table>\n");
    census
        .seals()
        .forEach((resource, seals) -> {
          page.append("<tr><td>").append(code(resource)).append("</td><td class=\"n\">");
          page.append(census.objects(resource)).append("</td><td style=\"width:50%\">");
          bar(seals, report.mustBeEncrypted(resource));
          page.append("</td></tr>\n");
        });
    page.append("</table>\n");
  }

  private void bar(SortedMap<Seal, Tally> seals, boolean mustBeEncrypted) {
    page.append("<div class=\"bar\">");
    seals.forEach((seal, tally) -> {
      page.append("<div style=\"flex:").append(tally.objects()).append(";background:");
      boolean open = seal.provider() == ProviderKind.IDENTITY && !mustBeEncrypted;
      page.append(open ? OPEN : colour(seal.provider())).append("\" title=\"");
      page.append(escape(seal.provider().word() + " " + seal.name() + " " + seal.keyId()));
      page.append(": ").append(tally.objects()).append("\"></div>");
    });
    page.append("</div>");
  }

  private void census(String title, Census census) {
    if (census.seals().isEmpty()) {
      return;
    }
    page.append("<h2>").append(title).append("</h2>\n<table><tr><th>Resource<th>Provider<th>Name");
    page.append("<th>KEK<th class=\"n\">Objects<th class=\"n\">Bytes<th class=\"n\">DEKs");
    page.append("<th class=\"n\">Revisions</tr>\n");
    census
        .seals()
        .forEach((resource, seals) -> seals.forEach((seal, tally) -> row(resource, seal, tally)));
    page.append("</table>\n");
  }

  private void row(String resource, Seal seal, Tally tally) {
    page.append("<tr><td>").append(code(resource)).append("<td>").append(seal.provider().word());
    page.append("<td class=\"w\">").append(code(seal.name()));
    page.append("<td class=\"w\">").append(code(seal.keyId()));
    page.append(
        String.format(
            Locale.ROOT,
            "<td class=\"n\">%,d<td class=\"n\">%,d<td class=\"n\">%,d<td class=\"n\">%d to"
                + " %d</tr>%n",
            tally.objects(),
            tally.bytes(),
            tally.wrappedDeks(),
            tally.oldestRevision(),
            tally.newestRevision()));
  }

  private void needs(AuditReport report) {
    page.append(
        "<h2>Keys needed to restore this</h2>\n<table><tr><th>Provider<th>Name<th>KEK</tr>");
    for (Seal seal : report.needs()) {
      page.append("<tr><td>").append(seal.provider().word()).append("<td>");
      page.append(code(seal.name())).append("<td>").append(code(seal.keyId())).append("</tr>\n");
    }
    page.append("</table>\n");
  }

  private void findings(AuditReport report) {
    page.append("<h2>Findings</h2>\n<table><tr><th>Rule<th>Key<th>Detail</tr>\n");
    for (Finding finding : report.findings()) {
      page.append("<tr><td class=\"").append(finding.rule().severity().word()).append("\">");
      page.append(finding.rule().word()).append("<td>").append(code(finding.key())).append("<td>");
      page.append(escape(finding.detail())).append("</tr>\n");
    }
    page.append("</table>\n");
    if (report.unlisted() > 0) {
      page.append("<p>").append(report.unlisted()).append(" more are not listed.</p>\n");
    }
  }

  private static String code(String text) {
    return text.isEmpty() ? "" : "<code>" + escape(text) + "</code>";
  }

  /// Names in etcd may hold anything, markup too.
  private static String escape(String text) {
    return Printable.of(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
