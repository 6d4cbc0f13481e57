package io.keyward.cli.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.Version;
import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Finding;
import io.keyward.storage.audit.Finding.Rule;
import java.net.URI;
import java.net.URISyntaxException;

/// The findings as SARIF 2.1.0, for tools that collect those of many scanners.
final class SarifReport {
  private SarifReport() {}

  static String of(AuditReport report, Version version) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("$schema", "https://json.schemastore.org/sarif-2.1.0.json").put("version", "2.1.0");
    ObjectNode run = json.putArray("runs").addObject();
    ObjectNode driver = run.putObject("tool").putObject("driver").put("name", "keyward audit");
    driver.put("version", version.version());
    rules(driver.putArray("rules"));
    ArrayNode results = run.putArray("results");
    report.findings().forEach(finding -> result(report, finding, results.addObject()));
    return json.toPrettyString() + "\n";
  }

  private static void rules(ArrayNode list) {
    for (Rule rule : Rule.values()) {
      ObjectNode json = list.addObject().put("id", rule.word());
      json.putObject("shortDescription").put("text", rule.words());
      json.putObject("defaultConfiguration").put("level", rule.severity().word());
    }
  }

  /// Names of files may hold what an address may not.
  private static String uri(String name) {
    try {
      return name.contains("://") ? name : new URI(null, null, name, null).toASCIIString();
    } catch (URISyntaxException e) {
      return "unnamed";
    }
  }

  private static void result(AuditReport report, Finding finding, ObjectNode json) {
    json.put("ruleId", finding.rule().word()).put("level", finding.rule().severity().word());
    json.putObject("message").put("text", finding.detail());
    ObjectNode location = json.putArray("locations").addObject();
    location
        .putObject("physicalLocation")
        .putObject("artifactLocation")
        .put("uri", uri(report.source().name()));
    if (!finding.key().isEmpty()) {
      location
          .putArray("logicalLocations")
          .addObject()
          .put("fullyQualifiedName", finding.key())
          .put("kind", "resource");
    }
  }
}
