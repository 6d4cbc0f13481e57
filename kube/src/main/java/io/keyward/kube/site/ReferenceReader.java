package io.keyward.kube.site;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Fingerprints;
import io.keyward.codec.object.ReferenceCodec;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.KeyReferences;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ReferenceData;
import io.keyward.core.model.kms.ReferencedObject;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.Component;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reads the Secrets and ConfigMaps to which KMS configurations refer.
final class ReferenceReader {
  private final Reads reads;
  private final String namespace;
  private final DataValue salt;

  ReferenceReader(Reads reads, Component component, DataValue salt) {
    this.reads = reads;
    this.namespace = component.api().referenceNamespace();
    this.salt = salt;
  }

  /// What the objects contain now; a problem if one of them, or one of its data keys, is missing.
  KeyReferences read(KmsPluginConfig plugin) {
    var secrets = new TreeMap<String, DataValue>();
    var configMaps = new TreeMap<String, DataValue>();
    for (ReferencedObject one : ReferencedObject.of(plugin.spec())) {
      Optional<ObjectNode> found =
          reads.get(
              "/api/v1/namespaces/" + namespace + "/" + one.kind().plural() + "/" + one.name());
      if (found.isEmpty()) {
        return new KeyReferences.Missing(words(one) + " does not exist");
      }
      for (String dataKey : one.dataKeys()) {
        Optional<DataValue> value = ReferenceCodec.value(found.orElseThrow(), one.kind(), dataKey);
        if (value.isEmpty()) {
          return new KeyReferences.Missing(
              words(one) + " is missing required key \"" + dataKey + "\"");
        }
        (one.kind() == ReferencedObject.Kind.SECRET ? secrets : configMaps)
            .put(one.name() + "_" + dataKey, value.orElseThrow());
      }
    }
    var secretData = new ReferenceData(secrets);
    var configMapData = new ReferenceData(configMaps);
    return new KeyReferences.Contents(
        secretData, configMapData, Fingerprints.of(plugin, secretData, configMapData, salt));
  }

  private String words(ReferencedObject one) {
    return one.kind().word() + " " + one.name() + " in " + namespace;
  }

  /// The same for every key that refers to objects, by the key's own configuration.
  SortedMap<KeySerial, KeyReferences> read(Collection<Key> keys) {
    var references = new TreeMap<KeySerial, KeyReferences>();
    for (Key key : keys) {
      key.kms()
          .filter(KmsKey::isManaged)
          .flatMap(KmsKey::plugin)
          .ifPresent(plugin -> references.computeIfAbsent(key.serial(), _ -> read(plugin)));
    }
    return references;
  }
}
