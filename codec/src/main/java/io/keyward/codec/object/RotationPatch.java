package io.keyward.codec.object;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.WireNames;

/// The patches with which an administrator requests a rotation.
public final class RotationPatch {
  private RotationPatch() {}

  /// For a ClusterEncryption: a new key.
  public static ObjectNode ofClusterEncryption(String reason) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("spec").put("rotationReason", reason);
    return patch;
  }

  /// For an operator resource of OpenShift: a new key.
  ///
  /// @param member of the overrides that belongs to the API server; empty where it is the overrides
  ///   themselves
  public static ObjectNode ofOverrides(String member, String reason) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode overrides = patch.putObject("spec").putObject("unsupportedConfigOverrides");
    (member.isEmpty() ? overrides : overrides.putObject(member))
        .putObject("encryption")
        .put("reason", reason);
    return patch;
  }

  /// For the secret of a KMS key: everything is re-encrypted under the same key.
  public static ObjectNode ofKeySecret(String request) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .putObject("annotations")
        .put(WireNames.REENCRYPT_REQUESTED, request);
    return patch;
  }
}
