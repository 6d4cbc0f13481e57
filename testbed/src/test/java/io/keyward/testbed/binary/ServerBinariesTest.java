package io.keyward.testbed.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.testbed.process.TestbedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// With a fake `go`: a shell script that does as each test says. The real one is in
/// `ServerBinariesIT`.
final class ServerBinariesTest {
  private static final long PLENTY = 100L << 30;

  @TempDir private Path directory;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private long freeBytes = PLENTY;

  @BeforeEach
  void aGoThatWorks() throws IOException {
    fakeGo("go version go1.26.8 linux/amd64", "echo program > \"$out\"; chmod +x \"$out\"");
  }

  @Test
  void theProgramIsBuiltOnceAndThenTakenFromTheCache() throws IOException {
    Path first = binaries().ensure(ServerBinary.ETCDCTL);
    Path second = binaries().ensure(ServerBinary.ETCDCTL);

    assertThat(first).isEqualTo(second).isExecutable().hasFileName("etcdctl");
    assertThat(first).startsWith(directory.resolve("cache").resolve("servers"));
    assertThat(builds()).isEqualTo(1);
    assertThat(talk()).contains("building etcdctl from source").contains("built etcdctl in");
  }

  /// Files of the compiler lie where the next build removes them, and it has a home without `HOME`.
  @Test
  void finding29TheCompilerWorksInOurOwnDirectory() throws IOException {
    fakeGo(
        "go version go1.26.8 linux/amd64",
        "echo \"$GOTMPDIR $HOME\" > \"$out\"; chmod +x \"$out\"");
    var withoutHome = new ServerBinaries(environment("HOME", ""), quiet(), _ -> freeBytes);
    Path program = withoutHome.ensure(ServerBinary.ETCDCTL);
    assertThat(program)
        .hasContent(
            program.resolveSibling("scratch") + " " + System.getProperty("user.home") + "\n");
  }

  @Test
  void threadsThatWantTheSameProgramBuildItOnce() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Path> want = () -> binaries().ensure(ServerBinary.ETCDCTL);
      for (Future<Path> path : threads.invokeAll(List.of(want, want, want))) {
        assertThat(path.get()).isExecutable();
      }
    }
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void anotherCompilerMeansAnotherProgram() throws IOException {
    Path old = binaries().ensure(ServerBinary.ETCDCTL);
    fakeGo("go version go1.26.9 linux/amd64", "echo program > \"$out\"; chmod +x \"$out\"");

    assertThat(binaries().ensure(ServerBinary.ETCDCTL)).isNotEqualTo(old);
  }

  /// The compiler gets the testbed's own sources, and a changed one means another program.
  @Test
  void sourcesOfTheTestbedArePartOfTheKey() {
    Path program = binaries().ensure(ServerBinary.VAULT_KMS_PLUGIN);
    assertThat(program.resolveSibling("module").resolve("main.go"))
        .content()
        .contains("package main");

    GoModule module = GoModule.load(ServerBinary.VAULT_KMS_PLUGIN.module());
    var changed = new TreeMap<>(module.own());
    changed.merge("vault.go", "// Changed.\n", String::concat);
    var go = new GoToolchain(directory, "go1.26.8");
    assertThat(
            BuildKey.of(
                ServerBinary.VAULT_KMS_PLUGIN,
                new GoModule(module.mod(), module.sum(), changed),
                go))
        .isNotEqualTo(BuildKey.of(ServerBinary.VAULT_KMS_PLUGIN, module, go));
  }

  @Test
  void withoutGoItSaysWhatToInstall() throws IOException {
    Files.delete(directory.resolve("bin").resolve("go"));

    assertFails("no go on the PATH", "install Go");
  }

  @Test
  void anOldGoIsRefusedBeforeAnythingIsDone() throws IOException {
    fakeGo("go version go1.22.3 linux/amd64", "exit 1");

    assertFails("etcdctl needs Go 1.26.0", "1.22.3");
    assertThat(builds()).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # go says                                                  | we say
          write /x: no space left on device                          | the disk is full, etcdctl could not be built
          dial tcp: lookup proxy.example: no such host               | the sources of etcdctl could not be downloaded
          reading https://proxy.example/x: 502 Bad Gateway           | the sources of etcdctl could not be downloaded
          dial tcp 127.0.0.1:1: connect: connection refused          | the sources of etcdctl could not be downloaded
          verifying x: checksum mismatch                             | the sources of etcdctl are not what they were
          x.go:3:1: undefined: y                                     | etcdctl did not compile
          """)
  void aFailedBuildIsExplained(String words, String explanation) throws IOException {
    fakeGo("go version go1.26.8 linux/amd64", "echo half > \"$out\"; echo '" + words + "'; exit 1");

    assertFails(explanation, "");
    assertThat(programs()).isEmpty();
  }

  @Test
  void aCompileFailureShowsTheEndOfTheLogAndNamesIt() throws IOException {
    fakeGo("go version go1.26.8 linux/amd64", "echo 'x.go:3:1: undefined: y' >&2; exit 1");

    assertFails("undefined: y", "build.log");
  }

  @Test
  void aSmallDiskIsRefusedBeforeTheBuild() throws IOException {
    freeBytes = 10L << 20;

    assertFails("only 10 MiB are free", "KEYWARD_CACHE");
    assertThat(builds()).isZero();
  }

  @Test
  void whatAKilledBuildLeftIsReplaced() throws IOException {
    fakeGo("go version go1.26.8 linux/amd64", "echo half > \"$out\"; kill -9 $$");
    assertFails("did not compile", "");

    aGoThatWorks();
    assertThat(binaries().ensure(ServerBinary.ETCDCTL)).hasContent("program\n");
  }

  @Test
  void assetsOfEnvtestAreUsedWhereTheyAre() throws IOException {
    Path assets = Files.createDirectory(directory.resolve("assets"));
    Path etcd = executable(assets.resolve("etcd"), "#!/bin/sh\n");
    Map<String, String> environment = environment("KUBEBUILDER_ASSETS", assets.toString());
    var binaries = new ServerBinaries(environment, quiet(), _ -> freeBytes);

    assertThat(binaries.ensure(ServerBinary.ETCD)).isEqualTo(etcd);
    assertThat(binaries.ensure(ServerBinary.KUBE_CONTROLLER_MANAGER))
        .startsWith(directory.resolve("cache"));
  }

  @Test
  void assetsThatAreNotThereAreRefused() {
    Map<String, String> environment = environment("KUBEBUILDER_ASSETS", "/no/such/directory");

    assertThatThrownBy(() -> new ServerBinaries(environment, quiet()).ensure(ServerBinary.ETCD))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("KUBEBUILDER_ASSETS names /no/such/directory");
  }

  @Test
  void theCacheFollowsTheUsualVariables() throws IOException {
    Path xdg = directory.resolve("xdg");
    Map<String, String> environment = environment("XDG_CACHE_HOME", xdg.toString());
    environment.remove("KEYWARD_CACHE");

    assertThat(new ServerBinaries(environment, quiet(), _ -> freeBytes).ensure(ServerBinary.ETCD))
        .startsWith(xdg.resolve("keyward").resolve("servers"));
  }

  private void assertFails(String words, String more) {
    assertThatThrownBy(() -> binaries().ensure(ServerBinary.ETCDCTL))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining(words)
        .hasMessageContaining(more);
  }

  private ServerBinaries binaries() {
    return new ServerBinaries(environment("X", "x"), quiet(), _ -> freeBytes);
  }

  private Map<String, String> environment(String name, String value) {
    var all = new HashMap<String, String>();
    all.put("PATH", directory.resolve("bin") + ":" + "/usr/bin:/bin");
    all.put("KEYWARD_CACHE", directory.resolve("cache").toString());
    all.put(name, value);
    return all;
  }

  private Talk quiet() {
    return new Talk(new PrintStream(said, true, StandardCharsets.UTF_8), false);
  }

  private String talk() {
    return said.toString(StandardCharsets.UTF_8);
  }

  /// `build` runs with `$out` set to the file that go was asked to write.
  private void fakeGo(String version, String build) throws IOException {
    Files.createDirectories(directory.resolve("bin"));
    executable(
        directory.resolve("bin").resolve("go"),
        """
        #!/bin/sh
        case $1 in
          version) echo '%s' ;;
          list) echo keyward:stale ;;
          build)
            echo x >> '%s'
            while [ "$1" != -o ]; do shift; done
            out=$2
            %s ;;
        esac
        """
            .formatted(version, directory.resolve("builds"), build));
  }

  private long builds() throws IOException {
    Path file = directory.resolve("builds");
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }

  private List<Path> programs() throws IOException {
    try (Stream<Path> all = Files.walk(directory.resolve("cache"))) {
      return all.filter(file -> file.endsWith("etcdctl")).toList();
    }
  }

  private static Path executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
