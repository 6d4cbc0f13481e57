package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Installs, upgrades and removes the packages with dpkg and rpm, on a copy of this machine with
/// its own systemd and without a JDK.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class PackagesInstalledIT {
  private static final String PLUGIN = "keyward-plugin.service";
  private static final String PREFLIGHT =
      "keyward preflight --endpoint unix:///run/keyward/cluster.sock";

  @TempDir private static Path directory;
  private static @Nullable PrivateMachine booted;

  enum Kind {
    DEB("keyward_*.deb", "dpkg --install", "dpkg --install", "dpkg --remove keyward"),
    // The database of rpm is empty on a machine with dpkg, so rpm would miss even /bin/sh.
    RPM(
        "keyward-*.rpm",
        "rpm --install --nodeps",
        "rpm --upgrade --replacepkgs --nodeps",
        "rpm --erase keyward");

    private final String pattern;
    private final String install;
    private final String upgrade;
    private final String remove;

    Kind(String pattern, String install, String upgrade, String remove) {
      this.pattern = pattern;
      this.install = install;
      this.upgrade = upgrade;
      this.remove = remove;
    }

    private String file() {
      return " " + PrivateMachine.ARTEFACTS + Artefacts.one(pattern).getFileName();
    }

    private void install() {
      // An image of Debian without manual pages says so in the configuration of dpkg.
      machine().shell(install + (this == DEB ? " --path-include='/*'" : "") + file());
    }
  }

  @BeforeAll
  static void boot() throws Exception {
    booted = PrivateMachine.boot(directory);
  }

  @AfterAll
  static void stop() throws Exception {
    if (booted != null) {
      booted.close();
    }
  }

  /// Where a test failed, the package is still installed.
  @AfterEach
  void clean() {
    var _ =
        machine()
            .tried("sh", "-c", "dpkg --purge keyward; rpm --erase keyward; rm -rf /etc/keyward");
  }

  private static PrivateMachine machine() {
    return Objects.requireNonNull(booted);
  }

  @Test
  @Order(1)
  void theMachineHasNoJdk() {
    assertThat(machine().tried("sh", "-c", "command -v java || ls /usr/lib/jvm/*").exitCode())
        .isNotZero();
    assertThat(machine().left()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @Order(2)
  void installsUsersFilesUnitsAndPages(Kind kind) throws Exception {
    kind.install();

    assertThat(machine().run("getent", "passwd", "keyward"))
        .matches("keyward:x:\\d+:\\d+:Keyward KMS plugin:/nonexistent:/usr/sbin/nologin\n");
    assertThat(machine().run("stat", "-c", "%A %U %G", "/etc/keyward"))
        .isEqualTo("drwxr-x--- root keyward\n");
    machine().shell("rmdir /etc/keyward && systemd-tmpfiles --create keyward.conf");
    assertThat(machine().run("stat", "-c", "%A %U %G", "/etc/keyward"))
        .isEqualTo("drwxr-x--- root keyward\n");
    for (String unit : List.of(PLUGIN, "keyward-node-agent.service")) {
      assertThat(
              machine().run("systemd-analyze", "verify", "/usr/lib/systemd/system/" + unit).lines())
          .noneMatch(line -> line.contains("keyward"));
      assertThat(machine().tried("systemctl", "is-enabled", unit).out()).isEqualTo("disabled\n");
    }
    assertThat(machine().run("man", "--where", "keyward-plugin", "keyward-operator-install"))
        .isEqualTo(
            """
            /usr/share/man/man1/keyward-plugin.1.gz
            /usr/share/man/man1/keyward-operator-install.1.gz
            """);
    var version = new ObjectMapper().readTree(machine().run("keyward", "version", "-o", "json"));
    assertThat(version.path("version").asText()).isEqualTo(Artefacts.version());
    assertThat(version.path("jdk").asText()).startsWith("25");
    assertThat(machine().run("kubectl-keyward", "--help")).contains("Usage: keyward");

    remove(kind);
  }

  @Test
  @Order(3)
  void theRpmFitsMachinesWithRpm() {
    String file = Kind.RPM.file().strip();

    assertThat(machine().run("rpm", "--query", "--queryformat", "%{ARCH} %{OS}", "-p", file))
        .isEqualTo("x86_64 linux");
    assertThat(machine().run("rpm", "--query", "--requires", "-p", file).lines().distinct())
        .contains("/bin/sh", "/usr/sbin/useradd")
        .allMatch(line -> line.startsWith("/") || line.startsWith("rpmlib("));
  }

  @Test
  @Order(3)
  void bothPackagesInstallTheSameFiles() {
    String deb = files(Kind.DEB, "dpkg-query --listfiles keyward");
    String rpm = files(Kind.RPM, "rpm --query --list keyward");

    assertThat(rpm.lines()).containsExactlyInAnyOrderElementsOf(deb.lines().toList());
    assertThat(deb.lines()).hasSizeGreaterThan(100);
    assertThat(deb.lines().filter(line -> line.startsWith("/etc/") || line.contains(" root root ")))
        .as("everything belongs to root")
        .hasSameSizeAs(deb.lines().toList());
    // Links have all permissions.
    assertThat(deb.lines().filter(line -> line.matches("\\S+ (?!l).{4}w.*|\\S+ (?!l).{7}w.*")))
        .isEmpty();
  }

  /// Directories that every machine has belong to no package of ours.
  private static String files(Kind kind, String list) {
    kind.install();
    String found =
        machine()
            .shell(
                list
                    + " | LC_ALL=C sort | grep -e keyward | tr '\\n' '\\0'"
                    + " | xargs -0 stat -c '%n %A %U %G %N'");
    remove(kind);
    return found
        .lines()
        .filter(line -> !line.startsWith("/usr/share/doc/keyward/changelog"))
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @EnumSource
  @Order(4)
  void servesAKeyAsTheGuideSays(Kind kind) {
    kind.install();
    assertThat(machine().tried("systemctl", "start", PLUGIN).exitCode()).isZero();
    assertThat(machine().tried("systemctl", "is-active", PLUGIN).out())
        .as("nothing starts without a configuration")
        .isEqualTo("inactive\n");

    for (String line : Printed.commands("install.md", "package")) {
      machine().shell(line);
    }
    assertThat(machine().run("stat", "-c", "%A %U %G", "/run/keyward"))
        .isEqualTo("drwx------ keyward keyward\n");
    assertThat(user(mainProcess())).isEqualTo("keyward");
    String configuration = configuration();

    String before = mainProcess();
    machine().shell(kind.upgrade + kind.file());
    assertThat(mainProcess()).as("an upgrade restarts the plugin").isNotEqualTo(before);
    machine().shell(PREFLIGHT);
    assertThat(configuration()).isEqualTo(configuration);

    remove(kind);
    assertThat(machine().tried("systemctl", "is-active", PLUGIN).out()).isEqualTo("inactive\n");
    assertThat(configuration()).isEqualTo(configuration);
    machine().shell("rm -r /etc/keyward");
  }

  @Test
  @Order(5)
  void purgingRemovesTheRestButNotTheOnlyCopyOfAKey() {
    Kind.DEB.install();
    machine().shell("cp /usr/share/doc/keyward/plugin-local.yaml.example /etc/keyward/plugin.yaml");
    assertThat(machine().shell("dpkg --purge keyward"))
        .contains("/etc/keyward is kept: plugin.yaml names a key store");
    assertThat(machine().left()).containsExactly("/etc/keyward", "/etc/keyward/plugin.yaml");

    Kind.DEB.install();
    machine().shell("cp /usr/share/doc/keyward/plugin.yaml.example /etc/keyward/plugin.yaml");
    machine().shell("dpkg --purge keyward");
    assertThat(machine().left()).isEmpty();
    assertThat(machine().tried("getent", "passwd", "keyward").exitCode()).isNotZero();
    assertThat(machine().tried("getent", "group", "keyward").exitCode()).isNotZero();
  }

  /// Removes the package, and checks that it leaves nothing but configuration.
  private static void remove(Kind kind) {
    machine().shell(kind.remove);
    assertThat(machine().left())
        .allMatch(
            path -> path.startsWith("/etc/keyward") || path.startsWith("/var/lib/dpkg/info/"));
    assertThat(machine().run("ls", "/run")).doesNotContain("keyward");
    assertThat(machine().run("find", "/etc/systemd/system", "-name", "*keyward*")).isEmpty();
  }

  private static String mainProcess() {
    return machine().run("systemctl", "show", "--value", "--property=MainPID", PLUGIN).strip();
  }

  private static String user(String process) {
    return machine().run("ps", "-o", "user=", "-p", process).strip();
  }

  private static String configuration() {
    return machine()
        .shell(
            "find /etc/keyward -printf '%p %M %u %g\\n' | sort;"
                + " find /etc/keyward -type f | sort | xargs sha256sum");
  }
}
