package io.keyward.core.sidecar;

import io.keyward.core.model.Problem;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ProviderSpec;
import io.keyward.core.model.kms.ProviderType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Plans the plugin containers for a configuration: one for all keys that an image of Keyward
/// serves, one for each key of another image. The last one is Keyward's, also where it serves no
/// key: it monitors the others.
///
/// The API server starts once the sockets of Keyward's containers exist, whether or not their KMS
/// responds. It does not wait for a plugin of another make, which may exit while its KMS is down.
public final class SidecarPlanner {
  /// The container of Keyward.
  public static final String KEYWARD = "keyward-kms-plugin";

  /// How the names of containers with another image begin.
  public static final String VAULT = "vault-kms-plugin-";

  private static final String SCHEME = "unix://";
  private static final String IMAGE = "kmsPluginImage";

  private final List<Key> managed;
  private final PluginImages images;

  private SidecarPlanner(EncryptionLayout layout, PluginImages images) {
    this.managed =
        layout.keys().stream()
            .filter(key -> key.kms().filter(KmsKey::isManaged).isPresent())
            .sorted(Comparator.comparing(Key::serial).reversed())
            .toList();
    this.images = images;
  }

  /// What prevents the plugin of a key from being started; no such key may be created.
  public static Optional<Problem> problem(Key key, PluginImages images) {
    return new SidecarPlanner(EncryptionLayout.EMPTY, images).problem(key);
  }

  /// The containers that a configuration needs; none where Keyward runs no plugin of it.
  ///
  /// @param component the API server
  public static Sidecars plan(String component, EncryptionLayout layout, PluginImages images) {
    return new SidecarPlanner(layout, images).plan(Optional.of(component));
  }

  /// The same containers for a preflight, which nobody monitors.
  public static Sidecars trial(EncryptionLayout layout, PluginImages images) {
    return new SidecarPlanner(layout, images).plan(Optional.empty());
  }

  private Optional<Problem> problem(Key key) {
    if (images.own().isEmpty()) {
      return Optional.of(
          new Problem(
              "the operator",
              "does not know the image of Keyward that runs KMS plugins; set pluginImage in its configuration"));
    }
    if (isKeyward(key)) {
      return Optional.empty();
    }
    ProviderSpec spec = spec(key);
    return spec.type().equals(ProviderType.VAULT.word())
        ? new VaultArguments(key.serial(), key.kms().orElseThrow()).problem()
        : Optional.of(
            new Problem(
                "kmsPluginImage of type " + spec.type(),
                "names an image whose arguments are not known; leave it out, or list the image"
                    + " under keywardImages in the configuration of the operator"));
  }

  private Sidecars plan(Optional<String> monitored) {
    if (managed.isEmpty() || images.own().isEmpty()) {
      return Sidecars.NONE;
    }
    var containers = new ArrayList<PluginContainer>();
    var byImage = new TreeMap<String, List<Key>>();
    byImage.put(images.own().orElseThrow(), new ArrayList<>());
    for (Key key : managed) {
      if (isKeyward(key)) {
        byImage.computeIfAbsent(image(key), _ -> new ArrayList<>()).add(key);
      } else if (problem(key).isEmpty()) {
        containers.add(other(key));
      }
    }
    List<Key> own = byImage.remove(images.own().orElseThrow());
    byImage.forEach((image, keys) ->
        containers.add(
            keyward(KEYWARD + "-" + keys.getFirst().serial(), image, keys, Optional.empty())));
    if (monitored.isPresent() || !own.isEmpty()) {
      containers.add(keyward(KEYWARD, images.own().orElseThrow(), own, monitored));
    }
    var sockets = new TreeSet<String>();
    managed.forEach(key -> sockets.add(parent(socket(key))));
    return new Sidecars(containers, sockets);
  }

  private boolean isKeyward(Key key) {
    return images.isKeyward(image(key));
  }

  private String image(Key key) {
    return spec(key).fields().getOrDefault(IMAGE, images.own().orElse(""));
  }

  private static ProviderSpec spec(Key key) {
    return key.kms().flatMap(KmsKey::plugin).map(KmsPluginConfig::spec).orElseThrow();
  }

  private static String socket(Key key) {
    return key.kms().orElseThrow().endpoint().endpoint().substring(SCHEME.length());
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }

  private static PluginContainer other(Key key) {
    return new PluginContainer(
        VAULT + key.serial(),
        spec(key).fields().getOrDefault(IMAGE, ""),
        List.of(),
        new VaultArguments(key.serial(), key.kms().orElseThrow()).list(),
        List.of(),
        false,
        new TreeSet<>());
  }

  /// @param monitored the API server whose plugins it watches, all of them
  private PluginContainer keyward(
      String name, String image, List<Key> keys, Optional<String> monitored) {
    var arguments = new ArrayList<>(List.of("plugin", "--revision=" + PluginFiles.DIRECTORY));
    arguments.add(
        "--keys="
            + (keys.isEmpty()
                ? "none"
                : keys.stream()
                    .map(key -> key.serial().toString())
                    .collect(Collectors.joining(","))));
    monitored.ifPresent(component -> {
      arguments.add("--monitor-file=" + PluginFiles.monitor(component));
      arguments.add("--component=" + component);
      arguments.add("--listen=" + PluginFiles.LISTEN);
    });
    var ready = new ArrayList<String>();
    if (!keys.isEmpty()) {
      ready.addAll(PluginFiles.program("plugin-ready"));
      keys.forEach(key -> ready.add(socket(key)));
    }
    var directories = new TreeSet<String>();
    keys.stream()
        .map(key -> spec(key).fields().get("modulePath"))
        .filter(path -> path != null && path.startsWith("/"))
        .forEach(path -> directories.add(parent(path)));
    return new PluginContainer(
        name,
        image,
        PluginFiles.program(program(keys)),
        arguments,
        ready,
        monitored.isPresent(),
        directories);
  }

  /// Flags of the JVM that were measured for one provider do not fit all of them.
  private static String program(List<Key> keys) {
    var kinds = new TreeSet<String>();
    keys.forEach(key -> kinds.add(spec(key).type()));
    return kinds.size() != 1
        ? "plugin"
        : ProviderType.parse(kinds.getFirst()).map(SidecarPlanner::program).orElse("plugin");
  }

  private static String program(ProviderType type) {
    return switch (type) {
      case VAULT -> "plugin-vault";
      case AWS -> "plugin-aws";
      case AZURE -> "plugin-azure";
      case GCP -> "plugin-gcp";
      case IBM_CLOUD -> "plugin-ibm";
      case PKCS11 -> "plugin-pkcs11";
      case EXTERNAL -> "plugin";
    };
  }
}
