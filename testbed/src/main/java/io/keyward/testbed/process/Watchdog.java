package io.keyward.testbed.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Ends this JVM's servers when the JVM is gone, however it went: also by `kill -9`, where no
/// shutdown hook runs. A shell in a session of its own reads process groups from a pipe; the kernel
/// closes the pipe with the JVM, and the shell then kills what is still on its list.
final class Watchdog {
  private static final String SCRIPT =
      """
      groups=" "
      while read -r verb group; do
        case $verb in
          watch) groups="$groups$group " ;;
          forget)
            case $groups in
              *" $group "*) groups="${groups%% $group *} ${groups#* $group }" ;;
            esac ;;
        esac
      done
      for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
      exit 0
      """;

  private static final Watchdog OF_THIS_JVM = new Watchdog();

  private @Nullable OutputStream pipe;

  private Watchdog() {}

  static Watchdog ofThisJvm() {
    return OF_THIS_JVM;
  }

  void watch(long group) {
    tell("watch " + group);
  }

  /// Must be called once the group is gone: its number may come back as somebody else's.
  void forget(long group) {
    tell("forget " + group);
  }

  private synchronized void tell(String line) {
    if (pipe == null) {
      pipe = startShell();
    }
    try {
      pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
      pipe.flush();
    } catch (IOException e) {
      throw new TestbedException(
          "the watchdog shell of this JVM is gone", "start the JVM again", e);
    }
  }

  private static OutputStream startShell() {
    try {
      return new ProcessBuilder("setsid", "sh", "-c", SCRIPT)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .getOutputStream();
    } catch (IOException e) {
      throw new TestbedException(
          "cannot start the watchdog shell", "install setsid (package util-linux) and sh", e);
    }
  }
}
