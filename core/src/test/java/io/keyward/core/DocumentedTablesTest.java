package io.keyward.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The table a person reads is the table that is tested.
final class DocumentedTablesTest {
  private static final Pattern CASES =
      Pattern.compile(
          "@ParameterizedTest[^\"]*(?:\"[^\"]*\")?[^\"@]*@CsvSource\\((?:(?!\"\"\").)*?"
              + "textBlock\\s*=\\s*\"\"\"\n(.*?)\"\"\"",
          Pattern.DOTALL);

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
          rollout    | rollout/RolloutAssessorTest rollout/KnownRevisionsTest rollout/RolloutDeciderTest rollout/DeploymentDeciderTest rollout/RemovedNodesTest
          conditions | turn/EnabledTest condition/ConditionCatalogueTest condition/ConditionReporterTest
          events     | event/EventReporterTest
          """)
  void theTablesInTheDocsAreTheTablesOfTheTests(String page, String tests) throws IOException {
    var tested = new ArrayList<String>();
    for (String test : tests.split(" ", -1)) {
      String source = Files.readString(Path.of("src/test/java/io/keyward/core", test + ".java"));
      List<String> tables = blocks(source, "\"\"\"\n", "\"\"\"");
      assertThat(feedingCases(source)).as(test + ": a table that feeds no case").isEqualTo(tables);
      tested.addAll(tables);
    }
    Path documented = Path.of("../docs/controllers", page + ".md");
    assertThat(blocks(Files.readString(documented), "```text\n", "```")).isEqualTo(tested);
  }

  /// Only the text of a `@CsvSource` right before a parameterized test or among its annotations
  /// becomes cases. A table that is a plain constant would look the same in the documents.
  private static List<String> feedingCases(String source) {
    return CASES
        .matcher(source)
        .results()
        .map(found -> found.group(1).stripIndent().strip())
        .filter(block -> block.startsWith("# "))
        .toList();
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
