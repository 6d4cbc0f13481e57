package io.keyward.node.host;

import io.keyward.codec.pod.PodYaml;
import io.keyward.core.rollout.RevisionNumber;
import io.keyward.core.rollout.manifest.PodManifest;
import io.keyward.core.rollout.node.ApiServerProcess;
import io.keyward.kube.client.ClusterFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A directory for each revision, and the manifest by which the kubelet runs one of them.
///
/// The manifest comes last: what it names is complete. The directory before the present one stays,
/// since the old pod reads it until it has ended.
public final class StaticPodHost implements Host {
  private static final String CONFIG = "encryption-config";

  private final String component;
  private final Path root;
  private final Path resources;
  private final Path manifest;

  public StaticPodHost(String component, HostKind.StaticPod place) {
    this.component = component;
    this.root = place.hostRoot().toAbsolutePath().normalize();
    this.resources = below(place.resources());
    this.manifest = below(place.manifests()).resolve(component + ".yaml");
  }

  private Path below(Path path) {
    return root.resolve(Path.of("/").relativize(path.toAbsolutePath())).normalize();
  }

  @Override
  public long revision() {
    try {
      return Files.exists(manifest) ? manifest(Files.readString(manifest)).revision() : 0;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + manifest, e);
    } catch (ClusterFailure _) {
      // Not written by us: the next revision replaces it.
      return 0;
    }
  }

  @Override
  public Instant writtenAt() {
    try {
      return Files.getLastModifiedTime(manifest).toInstant();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + manifest, e);
    }
  }

  @Override
  public Optional<ApiServerProcess> before() {
    long now = revision();
    return BeforeFile.read(before(now), now);
  }

  @Override
  public void remember(ApiServerProcess process) {
    long now = revision();
    BeforeFile.write(before(now), now, Optional.of(process));
  }

  private Path before(long revision) {
    return directory(revision).resolve("before");
  }

  @Override
  public byte[] config() {
    return config(revision());
  }

  private byte[] config(long revision) {
    Path file = directory(revision).resolve(PodManifest.CONFIG_DIRECTORY).resolve(CONFIG);
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private Path directory(long revision) {
    return resources.resolve(component + "-pod-" + revision);
  }

  @Override
  public boolean isNewConfig() {
    long now = revision();
    SortedMap<Long, Path> older = directories().headMap(now);
    return older.isEmpty() || !Arrays.equals(config(older.lastKey()), config(now));
  }

  @Override
  public boolean isIntact() {
    long now = revision();
    return WrittenDigests.read(digests(directory(now))).allows(now, config(now));
  }

  private static Path digests(Path directory) {
    return directory.resolve("digest");
  }

  /// Before the first revision, the file behind the flag of the manifest that is there. A manifest
  /// that cannot be read may have one.
  @Override
  public Optional<ExistingEncryption> existing() {
    if (Files.notExists(manifest) || revision() > 0) {
      return Optional.empty();
    }
    try {
      return manifest(Files.readString(manifest)).configFile().flatMap(this::existing);
    } catch (IOException | ClusterFailure _) {
      return Optional.of(
          ExistingEncryption.unknown(
              "a manifest that the node agent cannot read", onNode(manifest)));
    }
  }

  private PodYaml manifest(String text) {
    return PodYaml.parse(component, text).orElseThrow(ClusterFailure::new);
  }

  private Optional<ExistingEncryption> existing(PodYaml.ConfigFile found) {
    if (found.onNode().isEmpty()) {
      return Optional.of(
          ExistingEncryption.unknown(
              "a configuration that the node agent cannot read", found.file()));
    }
    Path file = below(Path.of(found.onNode().orElseThrow()));
    return isOurs(file) ? Optional.empty() : ExistingEncryption.in(file, onNode(file));
  }

  /// A revision whose label somebody took away.
  private boolean isOurs(Path file) {
    try {
      return file.startsWith(resources)
          && Files.exists(file)
          && WrittenDigests.read(digests(resources.resolve(resources.relativize(file).getName(0))))
              .has(Files.readAllBytes(file));
    } catch (IOException _) {
      return false;
    }
  }

  private String onNode(Path path) {
    return path.startsWith(root) ? "/" + root.relativize(path) : path.toString();
  }

  private SortedMap<Long, Path> directories() {
    var found = new TreeMap<Long, Path>();
    String prefix = component + "-pod-";
    if (Files.isDirectory(resources)) {
      try (Stream<Path> all = Files.list(resources)) {
        all.forEach(one -> {
          OptionalLong revision = RevisionNumber.after(prefix, one.getFileName().toString());
          if (revision.isPresent()
              && Files.exists(one.resolve(PodManifest.CONFIG_DIRECTORY).resolve(CONFIG))) {
            found.put(revision.getAsLong(), one);
          }
        });
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + resources, e);
      }
    }
    return found;
  }

  @Override
  public void write(
      long revision,
      Map<String, byte[]> files,
      Optional<String> text,
      Optional<ApiServerProcess> running) {
    String pod =
        text.orElseThrow(
                () -> new ClusterFailure("revision " + revision + " has no manifest of its pod"))
            .replace(PodManifest.REVISION, Long.toString(revision));
    if (manifest(pod).revision() != revision) {
      throw new ClusterFailure("the manifest of revision " + revision + " has another label");
    }
    long before = revision();
    Path target = directory(revision).resolve(PodManifest.CONFIG_DIRECTORY);
    try {
      Files.createDirectories(
          target,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + target, e);
    }
    new WrittenDigests(new TreeMap<>())
        .with(revision, files.getOrDefault(CONFIG, new byte[0]))
        .write(digests(directory(revision)));
    files.forEach((name, content) -> AtomicFile.write(target.resolve(plain(name)), content));
    BeforeFile.write(before(revision), revision, running);
    AtomicFile.write(manifest, pod.getBytes(StandardCharsets.UTF_8));
    directories()
        .forEach((old, path) -> {
          if (old < revision && old != before) {
            FileTree.delete(path);
          }
        });
  }

  /// Names of data in a Secret cannot hold a slash, but may be dots alone.
  private static String plain(String name) {
    if (name.contains("/") || name.startsWith("..")) {
      throw new ClusterFailure("a part of the configuration cannot be a file");
    }
    return name;
  }

  @Override
  public boolean restartsItself() {
    return true;
  }

  @Override
  public Optional<String> restart(Duration patience) {
    try {
      String text = manifest(Files.readString(manifest)).restarted().text();
      AtomicFile.write(manifest, text.getBytes(StandardCharsets.UTF_8));
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + manifest, e);
    }
  }

  @Override
  public String reach(String endpoint) {
    return PluginSource.reach(root, endpoint);
  }
}
