package io.keyward.dev.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.cli.audit.AuditCommand;
import io.keyward.testbed.Etcd;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;

/// Takes a snapshot of the demo's etcd and asks `keyward audit` about it.
///
/// @param clean whether the audit found nothing
/// @param findings how many, by rule
record Audit(boolean clean, Map<String, Integer> findings) {
  static Audit of(Etcd etcd, Path snapshot, String unusedKek) {
    etcd.ctl("snapshot", "save", snapshot.toString());
    var out = new StringWriter();
    int code =
        new CommandLine(new AuditCommand())
            .setOut(new PrintWriter(out))
            .execute(
                "--snapshot",
                snapshot.toString(),
                "--expect-encrypted",
                "secrets,configmaps",
                "--allow-absent",
                "--unused-kek",
                unusedKek,
                "--max-findings",
                "100000",
                "-o",
                "json");
    if (code > 1) {
      throw new TestbedException("the audit could not read the snapshot", "");
    }
    var findings = new TreeMap<String, Integer>();
    try {
      for (JsonNode finding : new ObjectMapper().readTree(out.toString()).path("findings")) {
        findings.merge(finding.path("rule").asText(), 1, Integer::sum);
      }
    } catch (IOException e) {
      throw new TestbedException("the audit printed no JSON", "", e);
    }
    return new Audit(code == 0, findings);
  }

  /// Drops the history and the free pages, which keep what was overwritten.
  static void forgetThePast(Etcd etcd) {
    try {
      JsonNode status = new ObjectMapper().readTree(etcd.ctl("get", "none", "-w", "json"));
      etcd.ctl("compact", "--physical", status.at("/header/revision").asText());
      etcd.ctl("defrag");
    } catch (IOException e) {
      throw new TestbedException("etcdctl printed no JSON", "", e);
    }
  }
}
