package io.keyward.testbed.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One server process, which may be started, ended and started again. It leads a process group of
/// its own, so that what it starts itself ends with it, and a Ctrl-C at the terminal does not reach
/// it.
public final class ServerProcess implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(15);

  /// After a signal that no program can refuse only the kernel has work left.
  private static final Duration KERNEL = Duration.ofSeconds(10);

  /// What the JVM may need to learn of an end that the kernel already shows.
  private static final Duration BURIAL_REPORT = Duration.ofSeconds(2);

  /// Waits for one line before it becomes the server: the watchdog must know the group first, and a
  /// JVM that dies in between leaves a shell that ends by itself.
  private static final String HELD_BACK = "read -r go && exec \"$@\"";

  private final Launch launch;
  private volatile @Nullable ProcessIdentity identity;
  private volatile CompletableFuture<Integer> exit = new CompletableFuture<>();

  private ServerProcess(Launch launch, @Nullable ProcessIdentity identity) {
    this.launch = launch;
    this.identity = identity;
  }

  public static ServerProcess start(Launch launch) {
    var process = new ServerProcess(launch, null);
    process.start();
    return process;
  }

  /// A process that an earlier JVM started detached. It may be gone: see [#isRunning].
  public static ServerProcess adopt(Launch launch, ProcessIdentity identity) {
    return new ServerProcess(launch, identity);
  }

  public Launch launch() {
    return launch;
  }

  public String name() {
    return launch.name();
  }

  public Path log() {
    return launch.log();
  }

  public boolean isRunning() {
    ProcessIdentity current = identity;
    return current != null && current.isRunning();
  }

  public boolean isPaused() {
    ProcessIdentity current = identity;
    return current != null && current.isPaused();
  }

  /// The last one where it does not run any more.
  public long pid() {
    return identity().pid();
  }

  public ProcessIdentity identity() {
    ProcessIdentity current = identity;
    if (current == null) {
      throw new IllegalStateException("never started");
    }
    return current;
  }

  /// Known where this JVM started the process and it has ended.
  public Optional<Integer> exitCode() {
    // The kernel shows the end a moment before the JVM has the code.
    if (!isRunning()) {
      Waiting.until(exit::isDone, BURIAL_REPORT);
    }
    return Optional.ofNullable(exit.getNow(null));
  }

  /// Waits for the process to end by itself, and kills it when the waiting thread is interrupted.
  public int awaitExit() {
    try {
      return exit.get();
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while " + name() + " ran", "", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("an exit code cannot fail", e);
    }
  }

  /// Starts it again after it ended, with the same command.
  public synchronized void start() {
    if (isRunning()) {
      throw new IllegalStateException("runs already");
    }
    Process process = spawn();
    long group = process.pid();
    identity =
        ProcessIdentity.of(group)
            .orElseThrow(() -> new TestbedException("cannot start " + name(), "see " + log()));
    mustHappen(() -> ProcessIdentity.leadsItsGroup(group), "does not get a group of its own");
    boolean watched = launch.lifetime() == Launch.Lifetime.WITH_JVM;
    if (watched) {
      Watchdog.ofThisJvm().watch(group);
    }
    exit = process.onExit().thenApply(done -> bury(done, watched));
    letGo(process);
  }

  /// Asks with SIGTERM, and kills what is still there after the grace period.
  public void stop() {
    stop(GRACE);
  }

  public void stop(Duration grace) {
    if (!isRunning()) {
      return;
    }
    Signal.TERM.sendToGroup(pid());
    // A paused process would not see the SIGTERM before it goes on.
    Signal.CONT.sendToGroup(pid());
    if (!Waiting.until(() -> !isRunning(), grace)) {
      kill();
    }
  }

  /// SIGKILL: the server gets no chance to tidy up.
  public void kill() {
    ProcessIdentity victim = identity;
    // Somebody may start it again at once; what counts is that this one ended.
    if (victim != null && victim.isRunning()) {
      Signal.KILL.sendToGroup(victim.pid());
      mustHappen(() -> !victim.isRunning(), "does not end though it was killed");
    }
  }

  /// SIGSTOP: the server keeps its sockets and answers nothing.
  public void pause() {
    if (isRunning()) {
      Signal.STOP.sendToGroup(pid());
      mustHappen(this::isPaused, "does not pause");
    }
  }

  public void resume() {
    if (isRunning()) {
      Signal.CONT.sendToGroup(pid());
      mustHappen(() -> !isPaused(), "does not go on after a pause");
    }
  }

  @Override
  public void close() {
    stop();
  }

  private void mustHappen(BooleanSupplier effect, String otherwise) {
    if (!Waiting.until(effect, KERNEL)) {
      throw new TestbedException(name() + " " + otherwise, "look at process " + pid());
    }
  }

  private Process spawn() {
    List<String> command = new ArrayList<>(List.of("setsid", "sh", "-c", HELD_BACK, "sh"));
    command.addAll(launch.command());
    var builder = new ProcessBuilder(command);
    builder.environment().putAll(launch.environment());
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    try {
      Files.createDirectories(log().toAbsolutePath().getParent());
      return builder.start();
    } catch (IOException e) {
      throw new TestbedException(
          "cannot start " + name(), "install setsid (package util-linux) and sh", e);
    }
  }

  private void letGo(Process process) {
    try (OutputStream stdin = process.getOutputStream()) {
      stdin.write("go\n".getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new TestbedException(name() + " ended before it began", "see " + log(), e);
    }
  }

  private static int bury(Process process, boolean watched) {
    if (watched) {
      Signal.KILL.sendToGroup(process.pid());
      Watchdog.ofThisJvm().forget(process.pid());
    }
    return process.exitValue();
  }
}
