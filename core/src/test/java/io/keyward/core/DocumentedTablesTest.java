package io.keyward.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The table a person reads is the table that is tested.
final class DocumentedTablesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "key",
        "layout",
        "migration",
        "rotation",
        "preflight",
        "prune",
        "health",
        "rollout"
      })
  void theTableInTheDocsIsTheTableOfTheTest(String word) throws IOException {
    String name =
        word.equals("rollout")
            ? "RolloutAssessorTest"
            : Character.toUpperCase(word.charAt(0)) + word.substring(1) + "DeciderTest";
    Path test = Path.of("src/test/java/io/keyward/core", word, name + ".java");
    Path page = Path.of("../docs/controllers", word + ".md");
    String table = between(Files.readString(test), "\"\"\"\n", "\"\"\"").stripIndent().strip();
    assertThat(between(Files.readString(page), "```text\n", "```").strip()).isEqualTo(table);
  }

  private static String between(String text, String open, String close) {
    int from = text.indexOf(open) + open.length();
    return text.substring(from, text.indexOf(close, from));
  }
}
