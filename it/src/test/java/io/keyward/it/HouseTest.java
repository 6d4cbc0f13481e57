package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The sizes of the house, for everything that is shipped. A reader takes in a package, a file and
/// a method at a glance.
final class HouseTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern NOT_SHIPPED =
      Pattern.compile("(testbed|testkit|bench|dev|kms/fakes|kms/tck)/.*");
  private static final Pattern WITHOUT_JSON = Pattern.compile("(engine|kube|node)/.*");
  private static final Pattern RAW_MEMBER = Pattern.compile("\\.(path|at)\\(\"");

  private static final Map<String, String> SOURCES = new TreeMap<>();

  @BeforeAll
  static void read() throws IOException {
    try (var files = Files.walk(ROOT)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
        String name = ROOT.relativize(file).toString();
        if (name.contains("src/main/java/") && !NOT_SHIPPED.matcher(name).matches()) {
          SOURCES.put(name, Files.readString(file));
        }
      }
    }
    assertThat(SOURCES).hasSizeGreaterThan(500);
  }

  @Test
  void aPackageHasAtMostTwentyFiles() {
    var packages = new TreeMap<String, Integer>();
    SOURCES
        .keySet()
        .forEach(name -> packages.merge(name.substring(0, name.lastIndexOf('/')), 1, Integer::sum));
    assertThat(packages).allSatisfy((_, files) -> assertThat(files).isLessThanOrEqualTo(20));
  }

  @Test
  void aFileHasAtMostThirtyImportsAndFourHundredLines() {
    assertThat(SOURCES)
        .allSatisfy((_, text) -> {
          assertThat(text.lines().filter(line -> line.startsWith("import ")).count())
              .isLessThanOrEqualTo(30);
          assertThat(text.lines().count()).isLessThanOrEqualTo(400);
        });
  }

  /// Such a command is options and a help text; its program is in another module.
  @Test
  void aCommandThatStartsAProgramHasAtMostNinetyLines() {
    String commands = "cli/src/main/java/io/keyward/cli/";
    assertThat(List.of("operator/OperatorCommand.java", "node/NodeAgentCommand.java"))
        .allSatisfy(name ->
            assertThat(SOURCES.get(commands + name).lines().count()).isLessThanOrEqualTo(90));
  }

  /// `KekId` is the same thing in the plugin and in the engine, which must not know each other;
  /// `KekIdLimitsTest` compares the two.
  @Test
  void aNameMeansOneThing() {
    var files = new TreeMap<String, List<String>>();
    SOURCES.keySet().stream()
        .filter(name -> !name.endsWith("-info.java") && !name.endsWith("/KekId.java"))
        .forEach(name ->
            files
                .computeIfAbsent(name.substring(name.lastIndexOf('/') + 1), _ -> new ArrayList<>())
                .add(name));
    assertThat(files.values()).allSatisfy(same -> assertThat(same).hasSize(1));
  }

  @Test
  void onlyTheCodecKnowsTheMembersOfObjects() {
    assertThat(SOURCES)
        .allSatisfy((name, text) ->
            assertThat(WITHOUT_JSON.matcher(name).matches() && RAW_MEMBER.matcher(text).find())
                .isFalse());
  }

  @Test
  void aMethodHasAtMostFiftyLines() throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      List<Path> paths = SOURCES.keySet().stream().map(ROOT::resolve).toList();
      var task =
          (JavacTask)
              compiler.getTask(
                  null, files, _ -> {}, null, null, files.getJavaFileObjectsFromPaths(paths));
      var tooLong = new ArrayList<String>();
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new LongMethods(unit, positions, tooLong).scan(unit, null);
      }
      assertThat(tooLong).isEmpty();
    }
  }

  private static final class LongMethods extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<String> found;

    LongMethods(CompilationUnitTree unit, SourcePositions positions, List<String> found) {
      this.unit = unit;
      this.positions = positions;
      this.found = found;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
      LineMap lines = unit.getLineMap();
      long first = lines.getLineNumber(positions.getStartPosition(unit, method));
      long last = lines.getLineNumber(positions.getEndPosition(unit, method));
      if (last - first >= 50) {
        found.add(
            unit.getSourceFile().getName() + ": " + method.getName() + ", " + (last - first + 1));
      }
      return super.visitMethod(method, null);
    }
  }
}
