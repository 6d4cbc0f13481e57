package io.keyward.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The tables a person reads about objects are the tables that are tested.
final class DocumentedTablesTest {
  private static final List<String> TESTS =
      List.of(
          "ConfigSecretCodecTest",
          "KeySecretCodecTest",
          "EncryptionSpecCodecTest",
          "EncryptionStatusCodecTest");

  @Test
  void theTablesInTheDocsAreTheTablesOfTheTests() throws IOException {
    var tested = new ArrayList<String>();
    for (String test : TESTS) {
      Path source = Path.of("src/test/java/io/keyward/codec", test + ".java");
      tested.addAll(tables(Files.readString(source), "\"\"\"\n", "\"\"\""));
    }
    String page = Files.readString(Path.of("../docs/reference/objects.md"));
    assertThat(tables(page, "```text\n", "```")).isEqualTo(tested);
  }

  /// Tables begin with the names of their columns.
  private static List<String> tables(String text, String open, String close) {
    var tables = new ArrayList<String>();
    int from = text.indexOf(open);
    while (from >= 0) {
      int end = text.indexOf(close, from + open.length());
      String block = text.substring(from + open.length(), end).stripIndent().strip();
      if (block.startsWith("# ")) {
        tables.add(block);
      }
      from = text.indexOf(open, end + close.length());
    }
    return tables;
  }
}
