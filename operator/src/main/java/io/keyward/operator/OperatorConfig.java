package io.keyward.operator;

import io.keyward.core.model.Settings;
import io.keyward.core.sidecar.PluginImages;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.migrate.Migrator;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The configuration of the operator: which API servers it manages, and how.
///
/// @param apiServers at least one
/// @param images that contain Keyward, for the plugins that it runs
public record OperatorConfig(
    List<Component> apiServers,
    Settings settings,
    Migrator.Kind migrator,
    FeatureGates gates,
    PluginImages images) {
  public OperatorConfig {
    apiServers = List.copyOf(apiServers);
  }

  /// Reads a configuration file. Without one there are the kube-apiservers of a plain cluster.
  ///
  /// @throws ConfigFailure if it cannot be read or has a problem
  public static OperatorConfig read(Optional<Path> file) {
    return OperatorConfigReader.read(file);
  }

  /// The same where the image of Keyward is known. A configuration that names one wins.
  public OperatorConfig withImage(String image) {
    return images.own().isPresent() || image.isEmpty()
        ? this
        : new OperatorConfig(
            apiServers,
            settings,
            migrator,
            gates,
            new PluginImages(Optional.of(image), images.mirrors()));
  }

  /// The namespace of the lease and of the service accounts.
  public String home() {
    return apiServers.getFirst().home();
  }
}
