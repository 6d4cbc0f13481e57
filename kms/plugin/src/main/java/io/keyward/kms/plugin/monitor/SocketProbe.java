package io.keyward.kms.plugin.monitor;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginCallException;
import io.keyward.kms.client.PluginEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;

/// Calls Status through the socket, as the API server does. A client of its own for each call: one
/// that failed to connect waits before it connects again, and would report a failure that is over.
final class SocketProbe implements StatusProbe {
  private static final int LONGEST_DESCRIPTION = 300;

  @Override
  public ProbeOutcome status(String endpoint, Duration deadline) {
    try {
      PluginEndpoint parsed = PluginEndpoint.parse(endpoint);
      return problem(parsed.socket())
          .<ProbeOutcome>map(ProbeOutcome.Failure::new)
          .orElseGet(() -> called(parsed, deadline));
    } catch (IllegalArgumentException e) {
      return new ProbeOutcome.Failure(String.valueOf(e.getMessage()));
    }
  }

  private static ProbeOutcome called(PluginEndpoint endpoint, Duration deadline) {
    try (var client = new KmsV2Client(endpoint)) {
      return new ProbeOutcome.Answer(client.status(deadline));
    } catch (PluginCallException e) {
      return new ProbeOutcome.Failure(words(e, deadline));
    }
  }

  /// Before the call: gRPC reports all of these in the same words.
  private static Optional<String> problem(Path socket) {
    try {
      if (!Files.readAttributes(socket, BasicFileAttributes.class).isOther()) {
        return Optional.of(socket + " is not a socket; correct the endpoint");
      }
      return Files.isWritable(socket)
          ? Optional.empty()
          : Optional.of(socket + " is not writable for the user of the monitor; change its mode");
    } catch (NoSuchFileException _) {
      return Optional.of(socket + " does not exist; check the container of the plugin");
    } catch (IOException _) {
      return Optional.of(socket + " cannot be read; check the mode of its directory");
    }
  }

  /// The same words for the same failure: a consumer reports every difference.
  private static String words(PluginCallException e, Duration deadline) {
    return switch (e.code()) {
      case "DEADLINE_EXCEEDED" -> late(deadline);
      case "UNAVAILABLE" -> "no plugin responds at the socket; check the container of the plugin";
      default -> {
        String text = (e.code() + " " + e.description()).strip();
        yield text.length() > LONGEST_DESCRIPTION ? text.substring(0, LONGEST_DESCRIPTION) : text;
      }
    };
  }

  static String late(Duration deadline) {
    return "the plugin does not respond: no answer within "
        + deadline.toSeconds()
        + " s; check whether it hangs";
  }
}
