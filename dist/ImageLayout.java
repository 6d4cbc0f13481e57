import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;

/// Writes the directory of an OCI image: blobs, index.json and oci-layout. Arguments: directory,
/// version, commit, time, architecture, and the layers as .tar.gz from bottom to top.
final class ImageLayout {
  private static final String TYPE = "application/vnd.oci.image.";

  /// A file in blobs/ under its digest.
  private record Blob(String digest, long size) {
    String descriptor(String type, String more) {
      return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d%s}"
          .formatted(TYPE + type, digest, size, more);
    }
  }

  private final Path blobs;

  private ImageLayout(Path directory) throws IOException {
    blobs = Files.createDirectories(directory.resolve("blobs/sha256"));
  }

  static void main(String[] args) throws IOException {
    var directory = Path.of(args[0]);
    var layout = new ImageLayout(directory);
    var layers = new ArrayList<String>();
    var contents = new ArrayList<String>();
    for (String layer : Arrays.asList(args).subList(5, args.length)) {
      contents.add("\"" + digest(new GZIPInputStream(Files.newInputStream(Path.of(layer)))) + "\"");
      layers.add(layout.add(Path.of(layer)).descriptor("layer.v1.tar+gzip", ""));
    }
    String labels = labels(args[1], args[2], args[3]);
    Blob config = layout.add(config(args[3], args[4], labels, contents));
    String manifest =
        "{\"schemaVersion\":2,\"mediaType\":\"%smanifest.v1+json\",\"config\":%s,\"layers\":[%s],\"annotations\":%s}"
            .formatted(
                TYPE, config.descriptor("config.v1+json", ""), String.join(",", layers), labels);
    // containerd takes the name from its own annotation, other tools from the standard one.
    String names =
        ",\"platform\":{\"architecture\":\"%s\",\"os\":\"linux\"},\"annotations\":{\"io.containerd.image.name\":\"localhost/keyward:%s\",\"org.opencontainers.image.ref.name\":\"%s\"}"
            .formatted(args[4], args[1], args[1]);
    Files.writeString(
        directory.resolve("index.json"),
        "{\"schemaVersion\":2,\"mediaType\":\"%sindex.v1+json\",\"manifests\":[%s]}"
            .formatted(TYPE, layout.add(manifest).descriptor("manifest.v1+json", names)));
    Files.writeString(directory.resolve("oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}");
  }

  private static String labels(String version, String commit, String time) {
    String prefix = "org.opencontainers.image.";
    List<String> labels = new ArrayList<>();
    labels.add("\"%screated\":\"%s\"".formatted(prefix, time));
    labels.add(
        "\"%sdescription\":\"Encrypts what Kubernetes API servers store in etcd, and proves it\""
            .formatted(prefix));
    labels.add("\"%slicenses\":\"Apache-2.0\"".formatted(prefix));
    labels.add("\"%srevision\":\"%s\"".formatted(prefix, commit));
    labels.add("\"%stitle\":\"keyward\"".formatted(prefix));
    labels.add("\"%sversion\":\"%s\"".formatted(prefix, version));
    return "{" + String.join(",", labels) + "}";
  }

  private static String config(
      String time, String architecture, String labels, List<String> contents) {
    return """
        {"created":"%s","architecture":"%s","os":"linux","config":{"User":"65532:65532",\
        "Env":["LC_ALL=C.UTF-8","MALLOC_ARENA_MAX=1"],\
        "Entrypoint":["/opt/keyward/runtime/bin/java","@/opt/keyward/lib/keyward.args"],"Cmd":["--help"],\
        "WorkingDir":"/","Labels":%s},"rootfs":{"type":"layers","diff_ids":[%s]}}"""
        .formatted(time, architecture, labels, String.join(",", contents));
  }

  private Blob add(String text) throws IOException {
    Path file = Files.writeString(blobs.resolve("new"), text);
    return add(file);
  }

  private Blob add(Path file) throws IOException {
    String digest = digest(Files.newInputStream(file));
    Files.move(file, blobs.resolve(digest.substring("sha256:".length())));
    return new Blob(digest, Files.size(blobs.resolve(digest.substring("sha256:".length()))));
  }

  private static String digest(InputStream content) throws IOException {
    try (var in = new DigestInputStream(content, MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return "sha256:" + HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
