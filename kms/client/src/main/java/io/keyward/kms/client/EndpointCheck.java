package io.keyward.kms.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.client.PreflightReport.Finding;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Optional;

/// Looks at the file and connects to it, before gRPC does: gRPC tells all these failures in the
/// same words.
final class EndpointCheck {
  private EndpointCheck() {}

  static Optional<Finding> of(Path socket) {
    // A longer path may name a live socket all the same: one that was bound under another name.
    if (socket.toString().getBytes(UTF_8).length > PluginEndpoint.MAX_PATH_BYTES) {
      return found(PreflightProblem.PATH_TOO_LONG, socket);
    }
    try {
      var attributes = Files.readAttributes(socket, BasicFileAttributes.class);
      if (!attributes.isOther()) {
        return found(PreflightProblem.NOT_A_SOCKET, socket);
      }
    } catch (NoSuchFileException e) {
      return found(PreflightProblem.NO_SUCH_FILE, socket);
    } catch (AccessDeniedException e) {
      return found(PreflightProblem.NO_PERMISSION, socket);
    } catch (IOException e) {
      return Optional.of(
          new Finding(PreflightProblem.NO_SUCH_FILE, String.valueOf(e.getMessage())));
    }
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      return Optional.empty();
    } catch (IOException e) {
      // The JDK has no exception types for these; the kernel's words are all there is.
      String words = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
      if (words.contains("permission denied")) {
        return found(PreflightProblem.NO_PERMISSION, socket);
      }
      return found(
          words.contains("refused")
              ? PreflightProblem.NOBODY_LISTENS
              : PreflightProblem.NOT_A_SOCKET,
          socket);
    }
  }

  private static Optional<Finding> found(PreflightProblem problem, Path socket) {
    return Optional.of(new Finding(problem, socket.toString()));
  }
}
