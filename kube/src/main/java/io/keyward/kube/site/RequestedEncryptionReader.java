package io.keyward.kube.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Decoded;
import io.keyward.codec.EncryptionSpecCodec;
import io.keyward.codec.EncryptionSpecCodec.Asked;
import io.keyward.codec.EncryptionSpecCodec.Extent;
import io.keyward.codec.Fingerprints;
import io.keyward.core.model.Problem;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KeyReferences;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ProviderType;
import io.keyward.core.model.kms.ReferenceData;
import io.keyward.core.sidecar.PluginImages;
import io.keyward.core.sidecar.SidecarPlanner;
import io.keyward.kube.component.ClusterApi;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.Workload;
import java.util.Optional;

/// The encryption that the administrator requests: from `APIServer` and the operator resource on
/// OpenShift, from `ClusterEncryption` on plain Kubernetes.
public final class RequestedEncryptionReader {
  private final Component component;
  private final FeatureGates gates;
  private final DataValue salt;
  private final ReferenceReader references;
  private final PluginImages images;
  private final Extent extent;

  private RequestedEncryptionReader(
      Component component,
      FeatureGates gates,
      DataValue salt,
      ReferenceReader references,
      PluginImages images,
      Extent extent) {
    this.component = component;
    this.gates = gates;
    this.salt = salt;
    this.references = references;
    this.images = images;
    this.extent =
        extent.resources().isEmpty()
            ? new Extent(extent.reason(), component.resources(), extent.timeout())
            : extent;
  }

  /// @param request the object with `spec.encryption`
  /// @param operator the object with the status; on plain Kubernetes the same one
  static RequestedEncryption read(
      Optional<ObjectNode> request,
      JsonNode operator,
      Component component,
      FeatureGates gates,
      DataValue salt,
      ReferenceReader references,
      PluginImages images) {
    var none = new Extent("", component.resources());
    return switch (extent(operator, component)) {
      case Decoded.Bad<Extent>(var what) ->
          new RequestedEncryptionReader(component, gates, salt, references, images, none)
              .problem(text(what));
      case Decoded.Good<Extent>(var extent) ->
          new RequestedEncryptionReader(component, gates, salt, references, images, extent)
              .read(request);
    };
  }

  private static Decoded<Extent> extent(JsonNode operator, Component component) {
    if (component.api() == ClusterApi.KEYWARD) {
      return EncryptionSpecCodec.extent(operator);
    }
    String overrides = text(operator, "/spec/unsupportedConfigOverrides");
    String member = component.statusMember();
    return EncryptionSpecCodec.reason(overrides, member)
        .then(reason ->
            EncryptionSpecCodec.timeout(overrides, member)
                .then(limit -> Decoded.good(new Extent(reason, component.resources(), limit))));
  }

  private RequestedEncryption read(Optional<ObjectNode> request) {
    // Deleting the object does not request plaintext.
    if (request.isEmpty()) {
      return problem(
          component.api().requestName()
              + " is missing, so no encryption is requested and nothing changes; run"
              + " keyward operator install, or create it with the type that is in use");
    }
    return switch (EncryptionSpecCodec.decode(text(request.orElseThrow(), "/spec/encryption"))) {
      case Decoded.Bad<Asked>(var what) -> problem(text(what));
      case Decoded.Good<Asked>(Asked(var mode, var plugin)) ->
          mode == Mode.KMS
              ? kms(plugin.orElseThrow())
              : new RequestedEncryption(
                  mode, Optional.empty(), extent.reason(), Optional.empty(), extent.resources());
    };
  }

  private RequestedEncryption kms(KmsPluginConfig plugin) {
    if (!gates.kmsEncryptionProvider()) {
      return problem(
          "the feature gate "
              + FeatureGates.KMS_ENCRYPTION_PROVIDER
              + " is off, so the mode KMS cannot be used; turn it on in the operator's"
              + " configuration, or ask for another mode");
    }
    if (!plugin.spec().type().equals(ProviderType.EXTERNAL.word())) {
      return managed(plugin);
    }
    var config = Fingerprints.of(plugin, ReferenceData.NONE, ReferenceData.NONE, salt);
    return requested(
        new RequestedEncryption.Kms(plugin, ReferenceData.NONE, ReferenceData.NONE, config));
  }

  private RequestedEncryption requested(RequestedEncryption.Kms kms) {
    return new RequestedEncryption(
        Mode.KMS, Optional.of(kms), extent.reason(), Optional.empty(), extent.resources());
  }

  /// Keyward runs the plugin.
  private RequestedEncryption managed(KmsPluginConfig plugin) {
    if (component.workload() != Workload.KUBEADM || component.deployment().isPresent()) {
      return problem(
          "KMS type "
              + plugin.spec().type()
              + " needs a plugin that Keyward runs, which this release does only on kubeadm"
              + " control-plane nodes; run the plugin yourself on every control-plane node"
              + " and use type External");
    }
    return switch (references.read(plugin)) {
      case KeyReferences.Missing(var what) -> problem(what);
      case KeyReferences.Contents(var secrets, var configMaps, var config) -> {
        var kms =
            new RequestedEncryption.Kms(
                plugin, secrets, configMaps, config, extent.timeout().orElse(KmsEndpoint.TIMEOUT));
        var key =
            Key.unbacked(
                KeySerial.FIRST,
                Mode.KMS,
                Key.NULL_MATERIAL,
                Optional.of(kms.keyFor(KeySerial.FIRST)));
        yield SidecarPlanner.problem(key, images)
            .map(what -> problem(text(what)))
            .orElseGet(() -> requested(kms));
      }
    };
  }

  private RequestedEncryption problem(String what) {
    return new RequestedEncryption(
        Mode.KMS, Optional.empty(), extent.reason(), Optional.of(what), extent.resources());
  }

  private static String text(Problem what) {
    return what.where() + " " + what.what();
  }

  private static String text(JsonNode object, String pointer) {
    JsonNode found = object.at(pointer);
    return found.isMissingNode() || found.isNull() ? "" : found.toString();
  }
}
