package io.keyward.node.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.kube.install.Rights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What an API server logged about the requests of Keyward's accounts: each with the decision of
/// its authorizer and the role that allowed it.
public final class AuditLog {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path policy;
  private final Path file;

  AuditLog(Path directory) throws IOException {
    // Watches are logged when they begin: they end with their client.
    this.policy =
        Files.writeString(
            directory.resolve("audit-policy.yaml"),
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            rules:
              - level: Metadata
                users: ["%s", "%s", "%s"]
              - level: None
            """
                .formatted(user(Rights.OPERATOR), user(Rights.NODE_AGENT), user(Rights.MIGRATOR)));
    this.file = directory.resolve("audit.log");
  }

  static String user(String account) {
    return "system:serviceaccount:kube-system:" + account;
  }

  String[] arguments() {
    return new String[] {"--audit-policy-file=" + policy, "--audit-log-path=" + file};
  }

  /// How many requests were logged so far.
  int size() {
    return read().size();
  }

  List<JsonNode> since(int first) {
    List<JsonNode> all = read();
    return all.subList(first, all.size());
  }

  static boolean isForbidden(JsonNode request) {
    return decision(request).equals("forbid");
  }

  static boolean isAllowed(JsonNode request) {
    return decision(request).equals("allow");
  }

  private static String decision(JsonNode request) {
    return request.path("annotations").path("authorization.k8s.io/decision").asText();
  }

  private List<JsonNode> read() {
    var requests = new ArrayList<JsonNode>();
    try {
      for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
        requests.add(JSON.readTree(line));
      }
    } catch (IOException e) {
      throw new AssertionError("the audit log is not readable", e);
    }
    return requests;
  }
}
