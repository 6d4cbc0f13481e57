package io.keyward.node.host;

import io.keyward.core.rollout.node.ApiServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/// The boot of this machine.
///
/// @param id another one after each boot; empty where the kernel does not say
/// @param at as the kernel says now, which moves when somebody sets the clock
public record MachineBoot(String id, Instant at) {
  private static final String TIME = "btime ";

  public static MachineBoot read() {
    return read(Path.of("/proc"));
  }

  /// Where the kernel does not say, starts of processes are all there is to tell them apart.
  public static MachineBoot read(Path proc) {
    try (var lines = Files.lines(proc.resolve("stat"))) {
      Instant at =
          lines
              .filter(line -> line.matches(TIME + "[0-9]{1,18}"))
              .findFirst()
              .map(line -> Instant.ofEpochSecond(Long.parseLong(line.substring(TIME.length()))))
              .orElse(Instant.EPOCH);
      return new MachineBoot(
          Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip(), at);
    } catch (IOException _) {
      return new MachineBoot("", Instant.EPOCH);
    }
  }

  public ApiServerProcess process(Instant startedAt) {
    return new ApiServerProcess(id, startedAt, Duration.between(at, startedAt));
  }
}
