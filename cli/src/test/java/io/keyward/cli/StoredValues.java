package io.keyward.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.etcd.snapshot.EtcdFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Values of a small cluster as etcdctl prints them, and one that is broken.
final class StoredValues {
  private StoredValues() {}

  static String of(Path directory) throws IOException {
    Path snapshot = directory.resolve("public-cluster.db");
    if (!Files.exists(snapshot)) {
      Cli.vector("public-cluster.db", directory);
    }
    ObjectNode answer = new ObjectMapper().createObjectNode();
    try (EtcdFile file = EtcdFile.open(snapshot)) {
      file.mvcc()
          .forEach((record, live) -> {
            if (live) {
              add(answer, record.key().toArray(), record.value().toArray());
            }
          });
    }
    add(
        answer,
        "/registry/secrets/default/broken".getBytes(UTF_8),
        "k8s:enc:kms:v2:kms-public:?".getBytes(UTF_8));
    return answer.toString();
  }

  private static void add(ObjectNode answer, byte[] key, byte[] value) {
    answer.withArray("kvs").addObject().put("key", key).put("value", value);
  }
}
