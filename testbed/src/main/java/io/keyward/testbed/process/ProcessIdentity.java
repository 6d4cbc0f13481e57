package io.keyward.testbed.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Which process a pid meant. Pids are used again, and all of them after a reboot, so a pid alone
/// would let us stop somebody else's program.
///
/// @param pid the process, and the group it leads
/// @param startTicks when the kernel started it, in clock ticks since boot
/// @param bootId which boot of this machine
public record ProcessIdentity(long pid, long startTicks, String bootId) {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  /// Counted from behind the program's name, which may hold spaces and brackets.
  private static final int STATE = 0;

  private static final int GROUP = 2;
  private static final int START_TICKS = 19;

  /// Empty where no such process runs. One that is dead and not yet buried does not run.
  public static Optional<ProcessIdentity> of(long pid) {
    return stat(pid)
        .filter(fields -> !fields[STATE].equals("Z") && !fields[STATE].equals("X"))
        .map(fields -> new ProcessIdentity(pid, Long.parseLong(fields[START_TICKS]), thisBoot()));
  }

  public boolean isRunning() {
    return of(pid).filter(this::equals).isPresent();
  }

  /// Whether signals to its group reach it already. Between fork and setsid they reach nobody.
  static boolean leadsItsGroup(long pid) {
    return stat(pid).filter(fields -> fields[GROUP].equals(Long.toString(pid))).isPresent();
  }

  /// Stopped by a signal, and goes on with another.
  public boolean isPaused() {
    return isRunning() && stat(pid).filter(fields -> fields[STATE].equals("T")).isPresent();
  }

  private static Optional<String[]> stat(long pid) {
    try {
      String stat =
          Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.UTF_8);
      return Optional.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static String thisBoot() {
    try {
      return Files.readString(BOOT_ID, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new TestbedException(
          "cannot read /proc", "the testbed needs Linux with /proc mounted", e);
    }
  }
}
