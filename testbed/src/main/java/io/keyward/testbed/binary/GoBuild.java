package io.keyward.testbed.binary;

import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Builds one server. The program appears under its name only when it is complete and on the disk.
final class GoBuild {
  private static final String PARTIAL = ".partial";

  private final ServerBinary binary;
  private final GoToolchain go;
  private final Map<String, String> environment;
  private final Talk talk;
  private final DiskSpace disk;

  GoBuild(
      ServerBinary binary,
      GoToolchain go,
      Map<String, String> environment,
      Talk talk,
      DiskSpace disk) {
    this.binary = binary;
    this.go = go;
    this.environment = new HashMap<>(environment);
    this.environment.putAll(GoToolchain.SETTINGS);
    this.environment.put("HOME", CacheDirectory.home(environment).toString());
    this.talk = talk;
    this.disk = disk;
  }

  /// The caller holds the lock of the cache.
  Path into(Path home, GoModule module) {
    Path program = home.resolve(binary.programName());
    long start = System.nanoTime();
    // What a killed compiler leaves lies in our own directory, and the next build removes it.
    Path scratch = home.resolve("scratch");
    environment.put("GOTMPDIR", scratch.toString());
    try (var _ = new Scratch(scratch)) {
      removeLeftovers(home);
      checkSpace(home);
      module.writeTo(home.resolve("module"));
      talk.say(
          "keyward: building "
              + binary.programName()
              + " from source, once; this usually takes about "
              + Span.words(binary.usualBuild())
              + " on two cores");
      long total = download(home);
      Path partial = home.resolve(binary.programName() + PARTIAL);
      compile(home, partial, total, start);
      publish(home, partial, program);
      talk.say("keyward: built " + binary.programName() + " in " + Span.words(Span.since(start)));
      return program;
    } catch (IOException e) {
      throw disk.freeAt(home) < DiskSpace.ALMOST_NOTHING
          ? GoFailure.explain(binary, home.resolve("build.log"), true)
          : new TestbedException(
              "cannot write " + program, "check that you may write to that directory", e);
    }
  }

  /// A build that was killed leaves its unfinished program behind.
  private void removeLeftovers(Path home) throws IOException {
    try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(home, "*" + PARTIAL)) {
      for (Path leftover : leftovers) {
        Files.delete(leftover);
      }
    }
  }

  private void checkSpace(Path home) {
    long wanted = binary.module().bytesOnDisk();
    long free = disk.freeAt(home);
    if (free < wanted) {
      throw new TestbedException(
          "building "
              + binary.programName()
              + (" may take " + (wanted >> 20) + " MiB, and only " + (free >> 20))
              + (" MiB are free at " + home),
          "free some space, or set KEYWARD_CACHE and GOCACHE to a larger disk");
    }
  }

  /// Fetches the sources and tells how many packages have to be compiled.
  private long download(Path home) {
    Path log = fresh(home.resolve("list.log"));
    List<String> arguments = new ArrayList<>(List.of("list", "-deps"));
    arguments.addAll(BuildKey.flags());
    arguments.addAll(List.of("-f", BuildCount.MARK_STALE, binary.goPackage()));
    run(
        home,
        arguments,
        log,
        () ->
            "keyward: fetching the sources of "
                + binary.programName()
                + (": " + BuildCount.downloads(log) + " modules so far"));
    return BuildCount.stale(log);
  }

  private void compile(Path home, Path partial, long total, long start) {
    Path log = fresh(home.resolve("build.log"));
    List<String> arguments = new ArrayList<>(List.of("build", "-v"));
    arguments.addAll(BuildKey.flags());
    arguments.addAll(List.of("-o", partial.toString(), binary.goPackage()));
    run(home, arguments, log, () -> line(Math.min(BuildCount.compiled(log), total), total, start));
  }

  private String line(long compiled, long total, long start) {
    String work =
        compiled < total ? compiled + " of " + total + " packages" : "all packages, linking";
    return "keyward: building "
        + binary.programName()
        + (": " + work)
        + (", " + Span.words(Span.since(start)) + " so far")
        + (", usually about " + Span.words(binary.usualBuild()));
  }

  private void run(Path home, List<String> arguments, Path log, Supplier<String> progress) {
    List<String> command = new ArrayList<>();
    // The shell changes the directory: a launch has none of its own.
    command.addAll(List.of("sh", "-c", "cd \"$0\" && exec \"$@\""));
    command.addAll(List.of(home.resolve("module").toString(), go.program().toString()));
    command.addAll(arguments);
    var launch = new Launch("go", command, environment, log, Launch.Lifetime.WITH_JVM);
    try (var process = ServerProcess.start(launch);
        var _ = new Ticker(talk, progress)) {
      if (process.awaitExit() != 0) {
        throw GoFailure.explain(binary, log, disk.freeAt(home) < DiskSpace.ALMOST_NOTHING);
      }
    }
  }

  private static Path fresh(Path log) {
    try {
      Files.deleteIfExists(log);
      return log;
    } catch (IOException e) {
      throw new TestbedException(
          "cannot replace " + log, "check that you may write to that directory", e);
    }
  }

  private static void publish(Path home, Path partial, Path program) throws IOException {
    try (FileChannel file = FileChannel.open(partial, StandardOpenOption.WRITE)) {
      file.force(true);
    }
    Files.move(partial, program, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel folder = FileChannel.open(home)) {
      folder.force(true);
    }
  }
}
