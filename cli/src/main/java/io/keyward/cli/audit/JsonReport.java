package io.keyward.cli.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.output.Document;
import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Auditor.Location;
import io.keyward.storage.audit.Census;
import io.keyward.storage.audit.Coverage;
import io.keyward.storage.audit.Finding;
import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.audit.Seal;
import io.keyward.storage.audit.Source;
import io.keyward.storage.audit.Tally;
import io.keyward.storage.envelope.ByteFingerprint;

/// The report for scripts. Field names never change.
final class JsonReport {
  private JsonReport() {}

  static ObjectNode of(AuditReport report) {
    ObjectNode json = Document.of("AuditReport");
    source(report.source(), json);
    coverage(report.coverage(), json);
    resources(report.census(Location.LIVE), json.putArray("resources"));
    ObjectNode unapplied = json.putObject("unapplied");
    unapplied.put("records", report.census(Location.UNAPPLIED).objects());
    resources(report.census(Location.UNAPPLIED), unapplied.putArray("resources"));
    ObjectNode residue = json.putObject("residue");
    residue(report, Location.HISTORY, Rule.PLAINTEXT_IN_HISTORY, residue.putObject("history"));
    residue(
        report, Location.FREE_PAGES, Rule.PLAINTEXT_IN_FREE_PAGES, residue.putObject("freePages"));
    residue(report, Location.LOG, Rule.PLAINTEXT_IN_LOG, residue.putObject("wal"));
    needs(report, json.putArray("needs"));
    findings(report, json);
    return json;
  }

  static ObjectNode needs(AuditReport report) {
    ObjectNode json = Document.of("NeededKeys");
    json.put("source", report.source().name()).put("revision", report.source().revision());
    coverage(report.coverage(), json);
    needs(report, json.putArray("needs"));
    return json;
  }

  private static void source(Source source, ObjectNode json) {
    json.put("source", source.name())
        .put("revision", source.revision())
        .put("compactedRevision", source.compactedRevision())
        .put("liveKeys", source.liveKeys())
        .put("revisions", source.revisions())
        .put("tombstones", source.tombstones());
    json.putObject("trailer")
        .put("present", source.digestValid().isPresent())
        .put("valid", source.digestValid().orElse(false));
  }

  private static void coverage(Coverage coverage, ObjectNode json) {
    ObjectNode written = json.putObject("coverage").put("complete", coverage.isComplete());
    coverage.reasons().forEach(written.putArray("reasons")::add);
    coverage.limits().forEach(written.putArray("limits")::add);
  }

  private static void resources(Census census, ArrayNode list) {
    census
        .seals()
        .forEach((resource, seals) -> {
          ObjectNode json = list.addObject().put("resource", resource);
          json.put("objects", census.objects(resource));
          ArrayNode providers = json.putArray("providers");
          seals.forEach((seal, tally) -> provider(seal, tally, providers.addObject()));
          ArrayNode namespaces = json.putArray("namespaces");
          census
              .namespaces(resource)
              .forEach((namespace, tally) ->
                  namespaces
                      .addObject()
                      .put("namespace", namespace)
                      .put("objects", tally.objects())
                      .put("bytes", tally.bytes()));
        });
  }

  private static void provider(Seal seal, Tally tally, ObjectNode json) {
    seal(seal, json);
    json.put("objects", tally.objects())
        .put("bytes", tally.bytes())
        .put("wrappedDeks", tally.wrappedDeks())
        .put("oldestRevision", tally.oldestRevision())
        .put("newestRevision", tally.newestRevision());
  }

  private static void seal(Seal seal, ObjectNode json) {
    json.put("provider", seal.provider().word())
        .put("name", seal.name())
        .put("keyId", seal.keyId());
    if (!seal.keyId().isEmpty()) {
      json.put("keyIdHash", ByteFingerprint.ofKeyId(seal.keyId()));
    }
  }

  private static void residue(AuditReport report, Location place, Rule plaintext, ObjectNode json) {
    json.put("records", report.census(place).objects()).put("plaintext", report.count(plaintext));
    resources(report.census(place), json.putArray("resources"));
  }

  private static void needs(AuditReport report, ArrayNode list) {
    report.needs().forEach(seal -> seal(seal, list.addObject()));
  }

  private static void findings(AuditReport report, ObjectNode json) {
    ArrayNode list = json.putArray("findings");
    for (Finding finding : report.findings()) {
      list.addObject()
          .put("rule", finding.rule().word())
          .put("severity", finding.rule().severity().word())
          .put("key", finding.key())
          .put("detail", finding.detail());
    }
    json.put("unlistedFindings", report.unlisted());
    ObjectNode counts = json.putObject("findingCounts");
    for (Rule rule : Rule.values()) {
      if (report.count(rule) > 0) {
        counts.put(rule.word(), report.count(rule));
      }
    }
  }
}
