package io.keyward.storage.config.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.storage.Vectors;
import io.keyward.storage.config.ConfigLoader;
import io.keyward.storage.config.ConfigVerdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every document that is almost a configuration gets the verdict of kube-apiserver's code.
///
/// `-Dkeyward.documents=N` sets how many documents are tried, `-Dkeyward.seed=N` which ones.
@Tag("long")
final class ApiserverDifferentialTest {
  private static final int BATCH = 500;

  private static final String ALIASES =
      """
      apiVersion: &v apiserver.config.k8s.io/v1
      kind: EncryptionConfiguration
      resources:
      - &e
        resources: [secrets]
        providers: &p
        - aesgcm: {keys: [&k {name: a, secret: AAECAwQFBgcICQoLDA0ODw==}, {<<: {name: b}, secret: HwECAwQFBgcICQoLDA0ODw==}]}
        - identity: {}
      - resources: [configmaps]
        providers: *p
      """;

  private static final String STYLES =
      """
      %YAML 1.1
      --- # styles
      "apiVersion": 'apiserver.config.k8s.io/v1'
      ? kind
      : !!str EncryptionConfiguration
      resources: [
        {resources: ["se\\x63rets", events.k8s.io], providers: [
          {kms: {apiVersion: v2, name: "k", endpoint: 'unix:///x', timeout: 3s}}, {identity: {}}]},
        ? resources
        : [configmaps]
      ]
      """;

  @TempDir private Path directory;

  @Test
  void finding08TheSameVerdictAsTheCodeOfTheApiserver() throws IOException, InterruptedException {
    int count = Integer.getInteger("keyward.documents", 50_000);
    long seed = Long.getLong("keyward.seed", 8);
    var documents = new MutatedDocuments(seed, seeds());
    var differences = new ArrayList<String>();
    int accepted = 0;
    try (var apiserver = new ApiserverCode(ApiserverCode.build(directory))) {
      for (int done = 0; done < count; done += BATCH) {
        var batch = new ArrayList<byte[]>();
        for (int i = 0; i < BATCH; i++) {
          batch.add(documents.next());
        }
        List<String> verdicts = apiserver.judge(batch);
        for (int i = 0; i < BATCH; i++) {
          boolean ok = verdicts.get(i).equals("ok");
          accepted += ok ? 1 : 0;
          ConfigVerdict ours = ConfigLoader.standard().load(batch.get(i));
          if (ok != ours instanceof ConfigVerdict.Accepted) {
            differences.add(described(batch.get(i), verdicts.get(i), ours));
          }
        }
      }
    }
    assertThat(differences).as("of " + count + " documents, seed " + seed).isEmpty();
    // A generator whose documents are nearly all refused would find little.
    assertThat(accepted).isGreaterThan(count / 20);
  }

  /// Documents that kube-apiserver accepts, and a few written for this test: a change of a document
  /// that is refused anyway shows little.
  private static List<byte[]> seeds() throws IOException {
    var seeds = new ArrayList<byte[]>();
    for (JsonNode vector : Vectors.lines("public-config-text.jsonl")) {
      if (vector.get("ok").asBoolean()) {
        seeds.add(vector.get("documentBase64").binaryValue());
      }
    }
    for (JsonNode vector : Vectors.lines("public-config.jsonl")) {
      if (vector.get("ok").asBoolean() && !vector.get("kmsV1Gate").asBoolean()) {
        seeds.add(vector.get("document").asText().getBytes(UTF_8));
      }
    }
    for (String text : List.of(ALIASES, STYLES)) {
      seeds.add(text.getBytes(UTF_8));
    }
    return seeds.stream().filter(seed -> seed.length < 4_000).toList();
  }

  private static String described(byte[] document, String apiserver, ConfigVerdict ours) {
    return apiserver
        + "\n  ours: "
        + (ours instanceof ConfigVerdict.Refused refused ? refused.errors() : "accepted")
        + "\n  "
        + Base64.getEncoder().encodeToString(document)
        + "\n"
        + new String(document, UTF_8);
  }
}
