package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The quick start of the audit guide, on a machine without a JDK, as an unprivileged user.
final class AuditorQuickStartIT {
  private static final Path SNAPSHOT =
      Path.of("../storage/src/test/resources/vectors/public-cluster.db.gz");
  private static final int MOST_COMMANDS = 5;

  @TempDir private static Path directory;
  private static @Nullable PrivateMachine booted;

  @BeforeAll
  static void boot() throws Exception {
    var machine = PrivateMachine.boot(directory);
    booted = machine;
    machine.shell("mkdir /home/auditor");
    machine.receive(SNAPSHOT, "/home/auditor/backup.db.gz");
    machine.shell("gzip -d /home/auditor/backup.db.gz");
    machine.shell("cp /mnt/SHA256SUMS /mnt/*-linux-x64.tar.gz /mnt/*-portable.zip /home/auditor");
    machine.shell("chown -R nobody /home/auditor");
  }

  @AfterAll
  static void stop() throws Exception {
    if (booted != null) {
      booted.close();
    }
  }

  private static Keyward auditor(String command) {
    return Objects.requireNonNull(booted)
        .tried("runuser", "-u", "nobody", "--", "sh", "-c", "cd /home/auditor && " + command);
  }

  @Test
  void reachesAVerdictAsPrinted() {
    List<String> commands = Printed.commands("audit.md", "auditor");
    assertThat(commands).hasSizeLessThanOrEqualTo(MOST_COMMANDS);
    var results = new ArrayList<Keyward>();
    for (String command : commands) {
      results.add(auditor(command));
    }

    assertThat(results).extracting(Keyward::exitCode).containsExactly(0, 0, 1, 0);
    assertThat(results.get(0).out()).contains("-linux-x64.tar.gz: OK");
    assertThat(results.get(2).out())
        .contains("digest valid", "coverage: complete")
        .contains("plaintext             /registry/secrets/default/plain-1  stored in plaintext");
    assertThat(results.get(3).out()).startsWith("aescbc\tcbc-public\t-\n");
  }

  @Test
  void thePortableZipNeedsAJre() {
    String zip = "keyward-" + Artefacts.version() + "-portable.zip";
    String launcher = "sh zip/keyward-" + Artefacts.version() + "/bin/keyward ";
    assertThat(auditor("python3 -m zipfile -e " + zip + " zip").exitCode()).isZero();

    Keyward without = auditor(launcher + "version");
    assertThat(without.exitCode()).isEqualTo(2);
    assertThat(without.err()).contains("no JDK 25 found; install one");

    // The runtime of the archive is a JRE.
    assertThat(auditor("mkdir jre && tar -C jre -xzf *-linux-x64.tar.gz").exitCode()).isZero();
    String jre = "JAVA_25_HOME=jre/keyward-" + Artefacts.version() + "/runtime ";
    Keyward needs = auditor(jre + launcher + "audit --snapshot backup.db --needs");
    assertThat(needs.exitCode()).as(needs.err()).isZero();
    assertThat(needs.out()).startsWith("aescbc\tcbc-public\t-\n");
  }
}
