package io.keyward.testbed.dev;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/// What `keyward dev` remembers between two commands.
///
/// @param complete false while the first start goes on: a cluster that never was complete is not
///   repaired but made anew
/// @param kubeconfigs the admin's, one for each API server
/// @param socketDirectories where plugins may put their sockets, one for each API server
public record DevState(
    boolean complete,
    List<DevServer> servers,
    List<Path> kubeconfigs,
    List<Path> socketDirectories) {
  static final String FILE = "dev.json";

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  public DevState {
    servers = List.copyOf(servers);
    kubeconfigs = List.copyOf(kubeconfigs);
    socketDirectories = List.copyOf(socketDirectories);
  }

  static Optional<DevState> read(Path directory) {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(file.toFile(), DevState.class));
    } catch (JacksonException e) {
      throw new TestbedException(
          file + " is damaged", "stop the servers by hand and delete " + directory, e);
    } catch (IOException e) {
      throw new TestbedException("cannot read " + file, "check its owner and mode", e);
    }
  }

  /// In one step: a command that dies meanwhile leaves the old state.
  void write(Path directory) {
    try {
      Path partial = Files.createTempFile(directory, "dev", ".partial");
      JSON.writeValue(partial.toFile(), this);
      Files.move(partial, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new TestbedException(
          "cannot write to " + directory, "check its owner, its mode and the free space", e);
    }
  }
}
