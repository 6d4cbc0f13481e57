package io.keyward.kube.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.regex.Pattern;

/// Makes the objects that the rows of a table speak of: a base from `bases.json`, and changes.
///
/// A change is `path=value`; without `=` the member is removed. A value in braces or brackets is
/// JSON, every other one a text, in which `%20` is a space, `LONGn` so many letters and `DIGEST`
/// the digest of an image. `VALID` is the member as its own base has it, `REPORTSn` so many
/// reports.
public final class CrdBodies {
  private static final String DIGEST = "sha256:" + "0123456789abcdef".repeat(4);
  private static final Pattern LONG = Pattern.compile("LONG([0-9]+)");
  private static final String REPORTS = "REPORTS";

  private final JsonNode bases;

  CrdBodies() {
    try (InputStream text = CrdBodies.class.getResourceAsStream("crd/bases.json")) {
      String written = new String(Objects.requireNonNull(text).readAllBytes(), UTF_8);
      bases = Api.JSON.readTree(written.replace("DIGEST", DIGEST));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// One that is not there yet, so that a server can be asked whether it would take it.
  static ObjectNode object(String apiVersion, String kind) {
    ObjectNode object = Api.JSON.createObjectNode();
    object.put("apiVersion", apiVersion).put("kind", kind);
    object.putObject("metadata").put("name", "trial");
    object.putObject("spec");
    return object;
  }

  ObjectNode apiServer(String base, String changes) {
    ObjectNode object = object("config.openshift.io/v1", "APIServer");
    object.withObject("/spec").set("encryption", part("encryption", base, changes));
    return object;
  }

  /// As a merge patch of that operator's resource.
  ObjectNode status(Component component, String base, String changes) {
    ObjectNode body = Api.JSON.createObjectNode();
    ObjectNode status = body.putObject("status");
    (component.statusMember().isEmpty() ? status : status.putObject(component.statusMember()))
        .set("encryptionStatus", part("encryptionStatus", base, changes));
    return body;
  }

  private ObjectNode part(String member, String base, String changes) {
    ObjectNode part = bases.required(member).required(base).deepCopy();
    for (String change : changes.equals("-") ? new String[0] : changes.split(" ", -1)) {
      change(part, change);
    }
    return part;
  }

  private void change(ObjectNode root, String change) {
    int equals = change.indexOf('=');
    String path = equals < 0 ? change : change.substring(0, equals);
    int dot = path.lastIndexOf('.');
    String last = path.substring(dot + 1);
    ObjectNode parent =
        dot < 0 ? root : root.withObject("/" + path.substring(0, dot).replace('.', '/'));
    if (equals >= 0) {
      parent.set(last, value(last, change.substring(equals + 1)));
    } else if (parent.remove(last) == null) {
      throw new IllegalArgumentException("there is no " + path);
    }
  }

  private JsonNode value(String member, String text) {
    if (text.equals("VALID")) {
      return bases.required("encryption").findValue(member).deepCopy();
    }
    if (text.startsWith(REPORTS)) {
      return reports(Integer.parseInt(text.substring(REPORTS.length())));
    }
    return text.startsWith("{") || text.startsWith("[")
        ? json(text(text))
        : Api.JSON.getNodeFactory().textNode(text(text));
  }

  private static String text(String written) {
    return LONG.matcher(written.replace("%20", " ").replace("DIGEST", DIGEST))
        .replaceAll(found -> "a".repeat(Integer.parseInt(found.group(1))));
  }

  private ArrayNode reports(int count) {
    JsonNode one = bases.at("/encryptionStatus/report/healthReports/0");
    ArrayNode reports = Api.JSON.createArrayNode();
    for (int i = 0; i < count; i++) {
      reports.add(one.<ObjectNode>deepCopy().put("nodeName", "node-" + i));
    }
    return reports;
  }

  static JsonNode json(String text) {
    try {
      return Api.JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
