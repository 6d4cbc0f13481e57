package io.keyward.core.model.rollout;

/// Something that a manifest, or the template of a Deployment, lacks to go with an encryption
/// configuration.
public sealed interface ManifestNeed {
  /// `--encryption-provider-config` with the path of the revision's file.
  record Flag() implements ManifestNeed {}

  /// The label `revision`; in a manifest it is filled in on the node.
  record Label() implements ManifestNeed {}

  /// The files or the Secret of the revision, at their place in the container.
  record Resources() implements ManifestNeed {}

  /// A directory of the node with a plugin's socket, at the same path in the container.
  record Sockets(String directory) implements ManifestNeed {}

  /// The containers of the plugins that Keyward runs for the configuration.
  record Plugins() implements ManifestNeed {}

  /// The same as `Sockets`, where somebody mounted something else at that very path. Nobody but
  /// them knows what for, so it is not replaced.
  record Obstacle(String directory, String by) implements ManifestNeed {}
}
