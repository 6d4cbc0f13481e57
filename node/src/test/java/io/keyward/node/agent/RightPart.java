package io.keyward.node.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kube.install.Rights;
import java.util.ArrayList;
import java.util.List;

/// One thing that a role gives and that can be taken from it: a verb of a rule, or one of several
/// resources or names.
///
/// @param rule the place of the rule in the role
/// @param member of the rule
/// @param index in that member
public record RightPart(ObjectNode role, int rule, String member, int index) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static List<RightPart> of(List<ObjectNode> rights) {
    var parts = new ArrayList<RightPart>();
    for (ObjectNode role : rights) {
      for (int rule = 0; rule < role.path("rules").size(); rule++) {
        for (String member : List.of("verbs", "resources", "resourceNames")) {
          int size = role.path("rules").get(rule).path(member).size();
          // The only resource or name goes with the verbs.
          for (int i = 0; i < size && (size > 1 || member.equals("verbs")); i++) {
            parts.add(new RightPart(role, rule, member, i));
          }
        }
      }
    }
    return parts;
  }

  /// The role, and nothing but this is missing.
  ObjectNode without() {
    ObjectNode less = role.deepCopy();
    ArrayNode members = (ArrayNode) less.path("rules").get(rule).path(member);
    members.remove(index);
    if (members.isEmpty()) {
      ((ArrayNode) less.path("rules")).remove(rule);
    }
    return less;
  }

  boolean isAgents() {
    return name().equals(Rights.NODE_AGENT);
  }

  boolean isOfLeading() {
    return whole().path("resources").toString().contains("leases");
  }

  boolean isOfMigrating() {
    return name().equals(Rights.MIGRATOR);
  }

  /// Whether it belongs to Keyward's own migrator, which has an account.
  private boolean isMigrators() {
    return isOfMigrating() && !role.toString().contains("storageversionmigrations");
  }

  /// Whether a logged request was allowed by exactly this. The log names the role, so what another
  /// role gives as well counts there only.
  boolean isUsedBy(JsonNode request) {
    String reason = request.path("annotations").path("authorization.k8s.io/reason").asText();
    boolean isMine =
        AuditLog.isAllowed(request)
            && request.at("/user/username").asText().equals(user())
            && reason.contains("Role \"" + name() + "\"")
            && fits("verbs", request.path("verb").asText());
    if (!isMine || whole().has("nonResourceURLs")) {
      String path = request.path("requestURI").asText().split("\\?", 2)[0];
      return isMine && fits("nonResourceURLs", path);
    }
    JsonNode object = request.path("objectRef");
    String below = object.path("subresource").asText("");
    String resource = object.path("resource").asText() + (below.isEmpty() ? "" : "/" + below);
    String namespace = role.at("/metadata/namespace").asText("");
    return fits("apiGroups", object.path("apiGroup").asText(""))
        && fits("resources", resource)
        && (!whole().has("resourceNames") || fits("resourceNames", object.path("name").asText("")))
        && (namespace.isEmpty() || namespace.equals(object.path("namespace").asText("")));
  }

  /// Of what is looked at only the one value, of all else any.
  private boolean fits(String which, String value) {
    if (which.equals(member)) {
      return of(which).equals(value);
    }
    for (JsonNode given : whole().path(which)) {
      if (given.asText().equals(value)) {
        return true;
      }
    }
    return false;
  }

  private String user() {
    return AuditLog.user(
        isAgents() ? Rights.NODE_AGENT : isMigrators() ? Rights.MIGRATOR : Rights.OPERATOR);
  }

  /// Asks a server whether it is given now.
  ObjectNode review() {
    ObjectNode review = JSON.createObjectNode().put("apiVersion", "authorization.k8s.io/v1");
    ObjectNode spec = review.put("kind", "SubjectAccessReview").putObject("spec");
    spec.put("user", user());
    if (whole().has("nonResourceURLs")) {
      spec.putObject("nonResourceAttributes")
          .put("path", whole().path("nonResourceURLs").get(0).asText())
          .put("verb", of("verbs"));
      return review;
    }
    String[] resource = of("resources").split("/", 2);
    spec.putObject("resourceAttributes")
        .put("group", whole().path("apiGroups").get(0).asText())
        .put("resource", resource[0])
        .put("subresource", resource.length > 1 ? resource[1] : "")
        .put("verb", of("verbs"))
        .put("name", of("resourceNames"))
        .put("namespace", role.at("/metadata/namespace").asText(""));
    return review;
  }

  /// What is taken, or the first one there is.
  private String of(String which) {
    return whole().path(which).path(which.equals(member) ? index : 0).asText("");
  }

  private JsonNode whole() {
    return role.path("rules").get(rule);
  }

  private String name() {
    return role.at("/metadata/name").asText();
  }

  @Override
  public String toString() {
    return of(member) + " of " + name() + " " + whole();
  }
}
