package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Archives and packages: unpacked where no JDK is found.
final class PackagesIT {
  private static final List<String> ACCEPTED =
      List.of("env", "-i", "PATH=/usr/bin:/bin", "KEYWARD_JAVA_OPTS=-XX:AOTMode=on");

  @TempDir private Path directory;

  @Test
  void theArchiveNeedsNoJdkAndItsCachesAreAccepted() {
    run("tar", "-C", directory.toString(), "-xzf", Artefacts.one("*-linux-x64.tar.gz").toString());
    Path launcher = directory.resolve("keyward-" + Artefacts.version() + "/bin/keyward");

    assertThat(cached(launcher, "--help")).contains("Usage: keyward");
    assertThat(cached(launcher, "audit", "--help")).contains("Usage: keyward audit");
    assertThat(cached(launcher, "plugin", "--help")).contains("Usage: keyward plugin");
    Path page = launcher.resolve("../../share/man/man1/keyward-operator-install.1.gz").normalize();
    assertThat(run("gzip", "-dc", page.toString()))
        .startsWith(".TH \"KEYWARD-OPERATOR-INSTALL\" \"1\" ")
        .contains("Keyward " + Artefacts.version());
  }

  @Test
  void theDebianPackageInstallsUnitsAndALink() throws Exception {
    String deb = Artefacts.one("*.deb").toString();
    run("dpkg-deb", "--extract", deb, directory.toString());

    assertThat(run("dpkg-deb", "--field", deb, "Version").strip()).isEqualTo(Artefacts.version());
    assertThat(run("dpkg-deb", "--ctrl-tarfile", deb)).contains("systemd-sysusers keyward.conf");
    assertThat(cached(directory.resolve("usr/bin/keyward"), "--help")).contains("Usage: keyward");
    assertThat(Files.getAttribute(directory.resolve("etc/keyward"), "unix:mode").toString())
        .isEqualTo(String.valueOf(0040750));
    assertThat(directory.resolve("usr/share/man/man1/keyward-plugin.1.gz")).exists();
    assertThat(directory.resolve("usr/lib/keyward/share")).doesNotExist();
    assertThat(cached(directory.resolve("usr/bin/kubectl-keyward"), "--help"))
        .contains("Usage: keyward");
    assertThat(directory.resolve("usr/share/fish/vendor_completions.d/keyward.fish"))
        .content()
        .contains("complete -c keyward");
    for (String unit : List.of("keyward-plugin", "keyward-node-agent")) {
      Path file = directory.resolve("usr/lib/systemd/system/" + unit + ".service");
      Keyward verified =
          Keyward.process(
              Path.of("/dev/null"),
              List.of("systemd-analyze", "verify", "--man=no", file.toString()));
      // It is not installed on this machine. Nothing else may be wrong.
      assertThat(verified.err().lines().filter(line -> line.contains(unit)))
          .allMatch(line ->
              line.endsWith(
                  "Command /usr/bin/keyward is not executable: No such file or directory"));
    }
  }

  @Test
  void theRpmHasTheSameFiles() throws Exception {
    byte[] start = Arrays.copyOf(Files.readAllBytes(Artefacts.one("*.rpm")), 200_000);

    assertThat(Arrays.copyOf(start, 4)).containsExactly(0xED, 0xAB, 0xEE, 0xDB);
    assertThat(new String(start, UTF_8))
        .contains("keyward-" + Artefacts.version() + "-1")
        .contains("keyward-plugin.service", "keyward-node-agent.service", "kubectl-keyward")
        .contains("systemd-sysusers keyward.conf", "keyward-plugin.1.gz");
  }

  @Test
  void thePortableZipHasLaunchersAndNoRuntime() throws Exception {
    String root = "keyward-" + Artefacts.version() + "/";
    try (var zip = new ZipFile(Artefacts.one("*-portable.zip").toFile())) {
      assertThat(zip.stream().map(entry -> entry.getName().replace(root, "")))
          .contains("bin/keyward", "bin/keyward.cmd", "lib/flags/command")
          .noneMatch(name -> name.startsWith("runtime/") || name.endsWith(".aot"));
    }
  }

  @Test
  void everyArtefactHasAChecksum() throws Exception {
    List<String> sums = Files.readAllLines(Artefacts.TARGET.resolve("SHA256SUMS"));

    assertThat(sums).hasSize(6);
    run(
        "sh",
        "-c",
        "cd \"$0\" && sha256sum --check --quiet SHA256SUMS",
        Artefacts.TARGET.toString());
  }

  private static String cached(Path launcher, String... arguments) {
    var command = new ArrayList<>(ACCEPTED);
    command.add(launcher.toString());
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new));
  }

  private static String run(String... command) {
    Keyward result = Keyward.process(Path.of("/dev/null"), List.of(command));
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    return result.out() + result.err();
  }
}
