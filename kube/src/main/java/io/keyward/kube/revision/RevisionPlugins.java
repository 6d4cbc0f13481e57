package io.keyward.kube.revision;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.pod.SidecarCodec;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.sidecar.PluginFiles;
import io.keyward.core.sidecar.PluginImages;
import io.keyward.core.sidecar.SidecarPlanner;
import io.keyward.core.sidecar.Sidecars;
import io.keyward.kube.component.Component;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// The plugin containers that Keyward runs for a configuration. They are part of each revision, so
/// a new image of Keyward is a new revision.
record RevisionPlugins(Component component, PluginImages images) {
  /// Why the containers of a configuration cannot be planned. A revision without one of them would
  /// stop the API servers that get it.
  Optional<String> problem(ObjectNode published) {
    return RolloutReader.layout(published).stream()
        .flatMap(layout -> layout.keys().stream())
        .filter(key -> key.kms().filter(KmsKey::isManaged).isPresent())
        .flatMap(key -> SidecarPlanner.problem(key, images).stream())
        .map(problem -> problem.where() + " " + problem.what())
        .findFirst();
  }

  /// The Secret of a configuration with its containers.
  ObjectNode with(ObjectNode published) {
    Sidecars sidecars =
        RolloutReader.layout(published)
            .map(layout -> SidecarPlanner.plan(component.name(), layout, images))
            .orElse(Sidecars.NONE);
    if (sidecars.isEmpty()) {
      return published;
    }
    ObjectNode copy = published.deepCopy();
    byte[] text = SidecarCodec.encode(sidecars).getBytes(StandardCharsets.UTF_8);
    copy.withObject("/data").put(PluginFiles.SIDECARS, Base64.getEncoder().encodeToString(text));
    return copy;
  }
}
