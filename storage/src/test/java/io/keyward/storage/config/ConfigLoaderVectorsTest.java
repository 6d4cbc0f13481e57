package io.keyward.storage.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.storage.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class ConfigLoaderVectorsTest {
  private static final List<JsonNode> VECTORS = Vectors.lines("public-config.jsonl");
  private static final List<JsonNode> ODD = Vectors.lines("public-config-text.jsonl");

  @Test
  void allDocumentsAreHere() {
    assertThat(VECTORS).hasSize(136);
  }

  @Test
  void allOddDocumentsAreHere() {
    assertThat(ODD).hasSize(58);
  }

  @TestFactory
  Stream<DynamicTest> finding08OddBytes() {
    return ODD.stream()
        .map(vector ->
            DynamicTest.dynamicTest(
                vector.get("id").asText(),
                () ->
                    assertThat(
                            ConfigLoader.standard()
                                .load(vector.get("documentBase64").binaryValue()))
                        .isInstanceOf(
                            vector.get("ok").asBoolean()
                                ? ConfigVerdict.Accepted.class
                                : ConfigVerdict.Refused.class)));
  }

  @TestFactory
  Stream<DynamicTest> judgesAsTheApiserverJudges() {
    return VECTORS.stream()
        .map(vector ->
            DynamicTest.dynamicTest(
                vector.get("id").asText() + " " + vector.get("title").asText(),
                () -> check(vector)));
  }

  private static void check(JsonNode vector) {
    var loader =
        new ConfigLoader(vector.get("reload").asBoolean(), vector.get("kmsV1Gate").asBoolean());
    switch (loader.load(vector.get("document").asText())) {
      case ConfigVerdict.Accepted(var config, _) -> {
        assertThat(vector.get("ok").asBoolean()).isTrue();
        assertThat(kmsOf(config)).isEqualTo(expectedKms(vector));
      }
      case ConfigVerdict.Refused(var stage, var errors) -> {
        assertThat(vector.get("ok").asBoolean()).isFalse();
        assertThat(stage.word()).isEqualTo(vector.get("stage").asText());
        if (stage == ConfigVerdict.Stage.VALIDATE) {
          assertThat(errors.stream().map(e -> e.field() + "|" + e.type() + "|" + e.detail()))
              .containsExactlyElementsOf(expectedErrors(vector));
        }
        if (stage == ConfigVerdict.Stage.BUILD) {
          assertThat(vector.get("goError").asText()).contains(errors.getFirst().detail());
        }
      }
    }
  }

  private static List<String> expectedErrors(JsonNode vector) {
    var errors = new ArrayList<String>();
    for (JsonNode e : vector.get("errors")) {
      errors.add(
          e.get("field").asText() + "|" + e.get("type").asText() + "|" + e.get("detail").asText());
    }
    return errors;
  }

  private static List<String> kmsOf(EncryptionConfig config) {
    return config.providers().stream()
        .filter(Provider.Kms.class::isInstance)
        .map(Provider.Kms.class::cast)
        .map(kms ->
            kms.name()
                + " "
                + kms.version()
                + " "
                + kms.timeout().toMillis()
                + " "
                + (kms.cacheSize().isPresent() ? kms.cacheSize().getAsInt() : "null"))
        .toList();
  }

  private static List<String> expectedKms(JsonNode vector) {
    var all = new ArrayList<String>();
    for (JsonNode kms : vector.path("kmsEffective")) {
      all.add(
          kms.get("name").asText()
              + " V"
              + kms.get("apiVersion").asText().substring(1)
              + " "
              + GoDuration.parse(kms.get("timeout").asText()).orElseThrow().toMillis()
              + " "
              + kms.get("cachesize").asText());
    }
    return all;
  }
}
