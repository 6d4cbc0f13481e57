package io.keyward.testbed.pod;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.TestbedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Makes a process of a container: a mount namespace of its own, a root directory with nothing in
/// it but the image's program and the pod's volumes at the pod's paths, and the network of the
/// host.
///
/// So a file that the manifest does not mount is not there, as in a real container.
final class ContainerLaunch {
  private static final String BIN = "/usr/local/bin";
  private static final Pattern VARIABLE = Pattern.compile("\\$\\(([A-Za-z_][A-Za-z0-9_]*)\\)");

  private final NodeRoot node;
  private final Map<String, Path> images;
  private final Path state;
  private final JsonNode pod;
  private final StringBuilder script = new StringBuilder(500);

  ContainerLaunch(NodeRoot node, Map<String, Path> images, Path state, JsonNode pod) {
    this.node = node;
    this.images = images;
    this.state = state;
    this.pod = pod;
  }

  Launch of(JsonNode container) {
    String name = container.path("name").asText();
    Path program = images.get(container.path("image").asText());
    if (program == null) {
      throw new TestbedException(
          "there is no program for image " + container.path("image").asText(),
          "images here: " + images.keySet());
    }
    Map<String, String> environment = environment(container);
    List<String> words = new ArrayList<>();
    container.path("command").forEach(word -> words.add(expand(word.asText(), environment)));
    container.path("args").forEach(word -> words.add(expand(word.asText(), environment)));
    if (words.isEmpty()) {
      throw new TestbedException("container " + name + " has no command", "give it one");
    }
    Path root = state.resolve(name + "-root");
    build(container, root, program, words.getFirst());
    words.set(0, BIN + "/" + words.getFirst());
    script.append("exec chroot ").append(quote(root));
    words.forEach(word -> script.append(' ').append(quote(word)));
    return new Launch(
        node.name() + "/" + name,
        List.of("unshare", "--mount", "--propagation", "private", "sh", "-ec", script.toString()),
        environment,
        state.resolve(name + ".log"),
        Launch.Lifetime.WITH_JVM);
  }

  private void build(JsonNode container, Path root, Path program, String name) {
    line("mkdir -p " + quote(root));
    line("mount -t tmpfs -o size=64m,mode=755 tmpfs " + quote(root));
    line("mkdir -p " + at(root, "proc") + " " + at(root, "dev") + " " + at(root, "etc"));
    line("mkdir -m 1777 " + at(root, "tmp"));
    line("mount --rbind /proc " + at(root, "proc"));
    line("mount --rbind /dev " + at(root, "dev"));
    for (String file : List.of("hosts", "resolv.conf", "nsswitch.conf")) {
      line("if [ -e /etc/" + file + " ]; then cp -L /etc/" + file + " " + at(root, "etc") + "; fi");
    }
    String target = at(root, (BIN + "/" + name).substring(1));
    line("mkdir -p " + at(root, BIN.substring(1)));
    line("touch " + target);
    line("mount --bind " + quote(program) + " " + target);
    for (JsonNode mount : container.path("volumeMounts")) {
      String place = at(root, mount.path("mountPath").asText().substring(1));
      line("mkdir -p " + place);
      line("mount --bind " + quote(volume(mount.path("name").asText())) + " " + place);
      if (mount.path("readOnly").asBoolean(false)) {
        line("mount -o remount,bind,ro " + place);
      }
    }
  }

  private Path volume(String name) {
    for (JsonNode volume : pod.at("/spec/volumes")) {
      if (volume.path("name").asText().equals(name)) {
        if (volume.has("hostPath")) {
          Path path = node.at(Path.of(volume.at("/hostPath/path").asText()));
          if (!volume.at("/hostPath/type").asText("").equals("Directory")) {
            line("mkdir -p " + quote(path));
          }
          return path;
        }
        if (volume.has("emptyDir")) {
          Path path = state.resolve("volume-" + name);
          line("mkdir -p " + quote(path));
          return path;
        }
      }
    }
    throw new TestbedException(
        "volume " + name + " is neither a hostPath nor an emptyDir", "only these are known here");
  }

  private Map<String, String> environment(JsonNode container) {
    var found = new TreeMap<String, String>();
    for (JsonNode one : container.path("env")) {
      String field = one.at("/valueFrom/fieldRef/fieldPath").asText("");
      found.put(
          one.path("name").asText(),
          switch (field) {
            case "status.hostIP" -> node.address();
            case "spec.nodeName" -> node.name();
            default -> one.path("value").asText("");
          });
    }
    return found;
  }

  /// As the kubelet does: what it does not know stays as it is.
  static String expand(String word, Map<String, String> environment) {
    return VARIABLE
        .matcher(word)
        .replaceAll(found ->
            Matcher.quoteReplacement(environment.getOrDefault(found.group(1), found.group())));
  }

  private void line(String text) {
    script.append(text).append('\n');
  }

  private static String at(Path root, String path) {
    return quote(root.resolve(path));
  }

  private static String quote(Object word) {
    return "'" + word.toString().replace("'", "'\\''") + "'";
  }
}
