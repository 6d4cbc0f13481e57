package io.keyward.testbed;

import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.LogTail;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One server of the testbed. It can be started, ended in several ways, and started again.
public abstract sealed class TestServer implements AutoCloseable
    permits Etcd,
        ApiServer,
        ControllerManager,
        SampleApiServer,
        StorageVersionMigrator,
        Vault,
        Moto {
  /// Generous: the machine may be busy with other builds.
  public static final Duration READY_LIMIT = Duration.ofMinutes(2);

  private static final int TAIL = 15;
  private static final int PORT_ATTEMPTS = 5;
  private static final String PORT_TAKEN = "address already in use";

  private final String name;
  private volatile @Nullable ServerProcess process;

  TestServer(String name) {
    this.name = name;
  }

  /// Made anew for every start, so that changed arguments and files count.
  abstract Launch launch();

  /// Takes other ports, after somebody else was faster.
  abstract void choosePorts();

  /// By the server's own endpoint. False also where it does not answer.
  public abstract boolean isReady();

  /// Where [#isReady] asks.
  public abstract URI readyEndpoint();

  public final String name() {
    return name;
  }

  /// Starts it and returns at once. See [#awaitReady].
  public final void start() {
    if (isRunning()) {
      throw new IllegalStateException(name + " runs already");
    }
    process = ServerProcess.start(launch());
  }

  /// Starts it for the first time; where another program took a port meanwhile, on another port.
  public final void startReady() {
    for (int attempt = 1; ; attempt++) {
      start();
      if (reachedReady(READY_LIMIT)) {
        return;
      }
      if (attempt == PORT_ATTEMPTS || !lostItsPort()) {
        throw notReady(READY_LIMIT);
      }
      choosePorts();
    }
  }

  /// Fails as soon as the process ends.
  public final void awaitReady(Duration limit) {
    if (!reachedReady(limit)) {
      throw notReady(limit);
    }
  }

  public final void awaitReady() {
    awaitReady(READY_LIMIT);
  }

  /// Stops it politely, starts it with its arguments and files of now, and waits until it is ready.
  public final void restart() {
    stop();
    start();
    awaitReady();
  }

  /// SIGTERM, and SIGKILL where that does not help in time.
  public final void stop() {
    current().ifPresent(ServerProcess::stop);
  }

  /// SIGKILL.
  public final void kill() {
    current().ifPresent(ServerProcess::kill);
  }

  /// SIGSTOP: connections stay open and nothing is answered.
  public final void pause() {
    current().ifPresent(ServerProcess::pause);
  }

  public final void resume() {
    current().ifPresent(ServerProcess::resume);
  }

  public final boolean isRunning() {
    return current().filter(ServerProcess::isRunning).isPresent();
  }

  public final long pid() {
    return process().pid();
  }

  public final Path log() {
    return process().log();
  }

  public final ServerProcess process() {
    return current().orElseThrow(() -> new IllegalStateException(name + " was never started"));
  }

  /// Kills it: what a test leaves behind needs no polite end.
  @Override
  public void close() {
    kill();
  }

  private Optional<ServerProcess> current() {
    return Optional.ofNullable(process);
  }

  private boolean reachedReady(Duration limit) {
    Waiting.until(() -> !isRunning() || isReady(), limit);
    return isRunning() && isReady();
  }

  private boolean lostItsPort() {
    return !isRunning()
        && LogTail.of(log(), TAIL).stream().anyMatch(line -> line.contains(PORT_TAKEN));
  }

  private TestbedException notReady(Duration limit) {
    List<String> tail = LogTail.of(log(), TAIL);
    String what =
        isRunning()
            ? " is not ready after " + limit.toSeconds() + " s"
            : " ended during start"
                + process().exitCode().map(code -> " with exit code " + code).orElse("");
    return new TestbedException(name + what, "full log: " + log(), tail);
  }
}
