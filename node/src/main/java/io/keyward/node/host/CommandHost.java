package io.keyward.node.host;

import io.keyward.core.rollout.RevisionNumber;
import io.keyward.core.rollout.node.ApiServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// One configuration file, and beside it the number of its revision, its digest and who ran before.
///
/// The number comes last: where it stands, the configuration is complete.
public final class CommandHost implements Host {
  private final Path config;
  private final Path number;
  private final Path before;
  private final Path digests;
  private final HostKind.Command place;

  public CommandHost(HostKind.Command place) {
    this.place = place;
    this.config = place.configFile().toAbsolutePath();
    this.number = config.resolveSibling(config.getFileName() + ".revision");
    this.before = config.resolveSibling(config.getFileName() + ".before");
    this.digests = config.resolveSibling(config.getFileName() + ".digest");
  }

  @Override
  public long revision() {
    try {
      return Files.exists(number)
          ? RevisionNumber.parse(Files.readString(number).strip()).orElse(0)
          : 0;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + number, e);
    }
  }

  @Override
  public Instant writtenAt() {
    try {
      return Files.getLastModifiedTime(number).toInstant();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + number, e);
    }
  }

  @Override
  public Optional<ApiServerProcess> before() {
    return BeforeFile.read(before, revision());
  }

  @Override
  public void remember(ApiServerProcess process) {
    BeforeFile.write(before, revision(), Optional.of(process));
  }

  @Override
  public byte[] config() {
    try {
      return Files.readAllBytes(config);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + config, e);
    }
  }

  /// Nothing is kept of the one before.
  @Override
  public boolean isNewConfig() {
    return false;
  }

  @Override
  public boolean isIntact() {
    return WrittenDigests.read(digests).allows(revision(), config());
  }

  /// A file beside a number without a digest was written by an agent of an earlier release.
  @Override
  public Optional<ExistingEncryption> existing() {
    if (Files.notExists(config)) {
      return Optional.empty();
    }
    WrittenDigests written = WrittenDigests.read(digests);
    boolean isOurs =
        written.byRevision().isEmpty()
            ? revision() > 0
            : Files.isReadable(config) && written.has(config());
    return isOurs ? Optional.empty() : ExistingEncryption.in(config, config.toString());
  }

  @Override
  public void write(
      long revision,
      Map<String, byte[]> files,
      Optional<String> manifest,
      Optional<ApiServerProcess> running) {
    byte[] content = files.getOrDefault("encryption-config", new byte[0]);
    WrittenDigests known = WrittenDigests.read(digests).with(revision, content);
    known.write(digests);
    AtomicFile.write(config, content);
    BeforeFile.write(before, revision, running);
    AtomicFile.write(number, (revision + "\n").getBytes(StandardCharsets.US_ASCII));
    known.only(revision).write(digests);
  }

  @Override
  public boolean restartsItself() {
    return false;
  }

  @Override
  public Optional<String> restart(Duration patience) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(place.restart())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        return Optional.of("the restart command did not end");
      }
      return process.exitValue() == 0
          ? Optional.empty()
          : Optional.of("the restart command exited with code " + process.exitValue());
    } catch (IOException e) {
      return Optional.of("the restart command cannot be started: " + e.getMessage());
    }
  }

  @Override
  public String reach(String endpoint) {
    return endpoint;
  }
}
