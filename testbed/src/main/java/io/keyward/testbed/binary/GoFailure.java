package io.keyward.testbed.binary;

import io.keyward.testbed.process.LogTail;
import io.keyward.testbed.process.TestbedException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// Says why a build failed, from what `go` wrote.
final class GoFailure {
  private static final int LINES_READ = 200;
  private static final int LINES_SHOWN = 12;

  private static final Pattern DISK_FULL = Pattern.compile("no space left on device");

  private static final Pattern TAMPERED = Pattern.compile("checksum mismatch|SECURITY ERROR");

  private static final Pattern DOWNLOAD =
      Pattern.compile(
          "dial tcp|dial udp|proxyconnect|no such host|i/o timeout|connection refused"
              + "|connection reset|TLS handshake|unexpected EOF|reading https?://"
              + "|module lookup disabled|Client\\.Timeout|: 5\\d\\d ");

  private GoFailure() {}

  static TestbedException explain(ServerBinary binary, Path log, boolean diskFull) {
    List<String> lines = LogTail.of(log, LINES_READ);
    String name = binary.programName();
    if (diskFull || mentions(lines, DISK_FULL)) {
      return new TestbedException(
          "the disk is full, " + name + " could not be built",
          "free some space and try again; what was compiled so far is kept");
    }
    List<String> tail = lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size());
    if (mentions(lines, TAMPERED)) {
      return new TestbedException(
          "the sources of " + name + " are not what they were when Keyward pinned them",
          "do not use this module proxy; full log: " + log,
          tail);
    }
    if (mentions(lines, DOWNLOAD)) {
      return new TestbedException(
          "the sources of " + name + " could not be downloaded",
          "check the network and GOPROXY, then try again; full log: " + log,
          tail);
    }
    return new TestbedException(name + " did not compile", "full log: " + log, tail);
  }

  private static boolean mentions(List<String> lines, Pattern words) {
    return lines.stream().anyMatch(line -> words.matcher(line).find());
  }
}
