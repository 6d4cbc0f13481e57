package io.keyward.kube.site;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Decoded;
import io.keyward.codec.KeySecretCodec;
import io.keyward.codec.WireNames;
import io.keyward.codec.object.Labels;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.object.SecretJson;
import io.keyward.core.model.key.DamagedSecret;
import io.keyward.core.model.key.Key;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.Component;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The key secrets of one API server as they were read.
///
/// @param secrets by name; what is written replaces what was read
record StoredKeys(Map<String, ObjectNode> secrets, List<Key> keys, List<DamagedSecret> damaged) {
  static StoredKeys read(Reads reads, Component component) {
    var secrets = new HashMap<String, ObjectNode>();
    var keys = new ArrayList<Key>();
    var damaged = new ArrayList<DamagedSecret>();
    for (ObjectNode secret :
        reads.list(
            component.managed() + "/secrets",
            Labels.of(WireNames.COMPONENT_LABEL, component.name()))) {
      String name = ObjectMeta.name(secret);
      secrets.put(name, secret);
      switch (KeySecretCodec.decode(SecretJson.read(secret))) {
        case Decoded.Good<Key>(var key) -> keys.add(key);
        case Decoded.Bad<Key>(var problem) ->
            damaged.add(new DamagedSecret(name, KeySecretCodec.serial(name), problem));
      }
    }
    return new StoredKeys(secrets, keys, damaged);
  }
}
