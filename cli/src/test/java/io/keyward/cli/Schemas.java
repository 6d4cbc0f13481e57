package io.keyward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The schemas of what commands print for programs.
public final class Schemas {
  private static final Path DIRECTORY = Path.of("../docs/reference/schemas");
  private static final ObjectMapper JSON = new ObjectMapper();

  private Schemas() {}

  static List<Path> all() throws IOException {
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      return files.sorted().toList();
    }
  }

  /// Checks a document by the schema of its kind, and returns it.
  public static JsonNode checked(String kind, String text) {
    try {
      JsonNode document = JSON.readTree(text);
      assertThat(document.path("apiVersion").asText())
          .as(text)
          .isEqualTo("cli.keyward.io/v1alpha1");
      assertThat(document.path("kind").asText()).isEqualTo(kind);
      assertThat(problems(kind, document)).as(text).isEmpty();
      return document;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Error> problems(String kind, JsonNode document) throws IOException {
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(Files.readString(DIRECTORY.resolve(kind + ".json")));
    return schema.validate(document);
  }
}
