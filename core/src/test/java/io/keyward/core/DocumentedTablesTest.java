package io.keyward.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The table a person reads is the table that is tested.
final class DocumentedTablesTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # page     | tests
          key        | key/KeyDeciderTest
          layout     | layout/LayoutDeciderTest layout/LeavingResourceTest
          migration  | migration/MigrationDeciderTest
          rotation   | rotation/RotationDeciderTest
          preflight  | preflight/PreflightDeciderTest preflight/NodeAnswersTest
          prune      | prune/PruneDeciderTest
          health     | health/HealthDeciderTest health/ProbeReaderTest
          rollout    | rollout/RolloutAssessorTest rollout/KnownRevisionsTest
          conditions | turn/EnabledTest condition/ConditionCatalogueTest condition/ConditionReporterTest
          events     | event/EventReporterTest
          """)
  void theTablesInTheDocsAreTheTablesOfTheTests(String page, String tests) throws IOException {
    var tested = new ArrayList<String>();
    for (String test : tests.split(" ", -1)) {
      Path source = Path.of("src/test/java/io/keyward/core", test + ".java");
      tested.addAll(blocks(Files.readString(source), "\"\"\"\n", "\"\"\""));
    }
    Path documented = Path.of("../docs/controllers", page + ".md");
    assertThat(blocks(Files.readString(documented), "```text\n", "```")).isEqualTo(tested);
  }

  /// Tables begin with the names of their columns.
  private static List<String> blocks(String text, String open, String close) {
    var blocks = new ArrayList<String>();
    int from = text.indexOf(open);
    while (from >= 0) {
      int end = text.indexOf(close, from + open.length());
      String block = text.substring(from + open.length(), end).stripIndent().strip();
      if (block.startsWith("# ")) {
        blocks.add(block);
      }
      from = text.indexOf(open, end + close.length());
    }
    return blocks;
  }
}
