package io.keyward.node.host;

import io.keyward.codec.object.KmsEndpoints;
import io.keyward.codec.pod.PodSidecars;
import io.keyward.codec.pod.PodYaml;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.rollout.manifest.ConfigPlace;
import io.keyward.core.rollout.manifest.ManifestRule;
import io.keyward.core.rollout.node.ApiServerProcess;
import io.keyward.core.sidecar.PluginFiles;
import io.keyward.core.sidecar.Sidecars;
import io.keyward.kube.client.ClusterFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A node whose manifests kubeadm writes. The agent adds the encryption configuration to the
/// manifest that is there and changes nothing else in it, so a new image of kubeadm's wins.
///
/// The configuration stays at one path, which kubeadm's own configuration names too. The label
/// `revision` makes the kubelet replace the pod.
public final class KubeadmHost implements Host {
  private static final String COMPONENT = "kube-apiserver";

  private final HostKind.Kubeadm place;
  private final Path manifest;
  private final CommandHost files;
  private final PluginDirectory plugins;

  public KubeadmHost(HostKind.Kubeadm place) {
    this.place = place;
    this.manifest = below(place.manifests()).resolve(COMPONENT + ".yaml");
    this.files =
        new CommandHost(
            new HostKind.Command(below(Path.of(ConfigPlace.KUBEADM.file())), List.of()));
    this.plugins = new PluginDirectory(below(Path.of(PluginFiles.ON_NODE)));
  }

  private Path below(Path path) {
    return place.below(path);
  }

  /// The URL of the API server of this node, from its manifest; empty where that cannot be read.
  public static Optional<String> address(HostKind.Kubeadm place) {
    try {
      return new KubeadmHost(place).read().pod().address();
    } catch (UncheckedIOException | ClusterFailure _) {
      return Optional.empty();
    }
  }

  /// The file that the manifest names to the API server; empty where it names none.
  ///
  /// @throws ClusterFailure if the manifest cannot be parsed
  public Optional<PodYaml.ConfigFile> configFile() {
    return read().pod().configFile();
  }

  @Override
  public long revision() {
    return files.revision();
  }

  @Override
  public Instant writtenAt() {
    return files.writtenAt();
  }

  @Override
  public Optional<ApiServerProcess> before() {
    return files.before();
  }

  @Override
  public void remember(ApiServerProcess before) {
    files.remember(before);
  }

  @Override
  public byte[] config() {
    return files.config();
  }

  @Override
  public boolean isNewConfig() {
    return files.isNewConfig();
  }

  @Override
  public boolean isIntact() {
    return files.isIntact();
  }

  /// The file behind the flag of the manifest, unless it is the one that agents write.
  @Override
  public Optional<ExistingEncryption> existing() {
    if (Files.notExists(manifest)) {
      return files.existing();
    }
    Optional<PodYaml.ConfigFile> flag;
    try {
      flag = read().pod().configFile();
    } catch (UncheckedIOException | ClusterFailure _) {
      return Optional.of(
          ExistingEncryption.unknown(
              "a manifest that the node agent cannot read", place.onNode(manifest)));
    }
    return flag.filter(one -> !one.file().equals(ConfigPlace.KUBEADM.file()))
        .map(this::existing)
        .orElseGet(files::existing);
  }

  private Optional<ExistingEncryption> existing(PodYaml.ConfigFile found) {
    return found
        .onNode()
        .map(path -> ExistingEncryption.in(below(Path.of(path)), path))
        .orElseGet(() ->
            Optional.of(
                ExistingEncryption.unknown(
                    "a configuration that the node agent cannot read", found.file())));
  }

  @Override
  public synchronized void write(
      long revision,
      Map<String, byte[]> config,
      Optional<String> unused,
      Optional<ApiServerProcess> running) {
    writeFiles(revision, config, running);
    patch();
  }

  private void writeFiles(
      long revision, Map<String, byte[]> config, Optional<ApiServerProcess> running) {
    Path directory = below(Path.of(ConfigPlace.KUBEADM.directory()));
    try {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + directory, e);
    }
    plugins.write(revision, config, files.revision());
    files.write(revision, config, Optional.empty(), running);
  }

  /// Writes the files of a machine that has no API server yet. kubeadm will write a manifest that
  /// names them.
  public synchronized void prepare(long revision, Map<String, byte[]> config) {
    if (Files.exists(manifest)) {
      throw new ClusterFailure(
          "this machine is a control-plane node already: "
              + place.onNode(manifest)
              + " exists; nothing was written");
    }
    existing()
        .ifPresent(found -> {
          throw new ClusterFailure(
              "this machine has an encryption configuration that Keyward did not create: "
                  + found.words()
                  + "; move it away and run this again");
        });
    writeFiles(revision, config, Optional.empty());
  }

  /// Credentials of plugins do not stay longer than the pod that needs them.
  @Override
  public void arrived() {
    plugins.keepOnly(revision());
  }

  @Override
  public boolean restartsItself() {
    return true;
  }

  @Override
  public synchronized Optional<String> restart(Duration patience) {
    Manifest before = read();
    write(before, patched(before.pod(), needs(before.pod())).restarted());
    return Optional.empty();
  }

  /// kubeadm, or an administrator, may have written a manifest without the configuration that the
  /// data in etcd needs. That is repaired whether or not an API server responds.
  @Override
  public synchronized Optional<String> repair() {
    if (revision() == 0 || !isIntact() || existing().isPresent() || Files.notExists(manifest)) {
      return Optional.empty();
    }
    Manifest before = read();
    List<ManifestNeed> needs = needs(before.pod());
    if (needs.isEmpty()) {
      return Optional.empty();
    }
    ManifestRule.obstacle(needs)
        .ifPresent(obstacle -> {
          throw new ClusterFailure(obstacle);
        });
    write(before, patched(before.pod(), needs));
    return Optional.of(
        "added the encryption configuration of revision "
            + revision()
            + " to "
            + place.onNode(manifest)
            + ", which lacked it");
  }

  /// Removes everything that this agent added to the manifest, but keeps the files: the API server
  /// that still runs needs them.
  ///
  /// @return whether there was anything to remove
  public synchronized boolean strip() {
    Manifest before = read();
    PodYaml after = before.pod().withoutKeyward();
    if (after.text().equals(before.pod().text())) {
      return false;
    }
    write(before, after);
    return true;
  }

  private void patch() {
    Manifest before = read();
    PodYaml after = patched(before.pod(), needs(before.pod()));
    if (!after.text().equals(before.pod().text())) {
      write(before, after);
    }
  }

  private PodYaml patched(PodYaml pod, List<ManifestNeed> needs) {
    return pod.with(needs, ConfigPlace.KUBEADM)
        .withPlugins(planned(), source())
        .labelled(revision());
  }

  private List<ManifestNeed> needs(PodYaml pod) {
    Sidecars sidecars = planned();
    var needs =
        new ArrayList<>(
            ManifestRule.kubeadmNeeds(
                pod.manifest(),
                KmsEndpoints.sockets(config()).stream()
                    .filter(socket -> !sidecars.serves(socket))
                    .toList()));
    if (!pod.hasPlugins(sidecars, source())) {
      needs.add(new ManifestNeed.Plugins());
    }
    return List.copyOf(needs);
  }

  /// Where the files of the plugins are gone, the plugins that run are the only ones there are:
  /// nothing is changed that would stop them.
  private Sidecars planned() {
    Sidecars planned = sidecars();
    boolean isExpected =
        KmsEndpoints.sockets(config()).stream()
            .anyMatch(socket -> socket.startsWith(KmsEndpoint.DIRECTORY + "/"));
    if (planned.isEmpty() && isExpected) {
      throw new ClusterFailure(
          "the files of the KMS plugins of revision "
              + revision()
              + " are missing in "
              + PluginFiles.ON_NODE
              + ", so the manifest is not changed; a new revision writes them again, for example after"
              + " a change of spec.kmsTimeout");
    }
    return planned;
  }

  @Override
  public Sidecars sidecars() {
    return plugins.sidecars(revision());
  }

  private PodSidecars.Source source() {
    return new PodSidecars.Source.OnNode(PluginFiles.ON_NODE + "/" + revision());
  }

  private record Manifest(String text, PodYaml pod) {}

  private Manifest read() {
    try {
      String text = Files.readString(manifest);
      return new Manifest(text, PodYaml.parse(COMPONENT, text).orElseThrow(ClusterFailure::new));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + manifest, e);
    }
  }

  /// kubeadm may have written a manifest with another image since it was read, which must not be
  /// replaced with the old one.
  private void write(Manifest before, PodYaml after) {
    if (!AtomicFile.replace(
        manifest,
        before.text().getBytes(StandardCharsets.UTF_8),
        after.yaml().getBytes(StandardCharsets.UTF_8))) {
      throw new ClusterFailure(
          place.onNode(manifest) + " was modified concurrently; the node agent retries");
    }
  }

  @Override
  public Path locate(Path path) {
    return below(path);
  }

  @Override
  public String reach(String endpoint) {
    return PluginSource.reach(place.below(Path.of("/")), endpoint);
  }
}
