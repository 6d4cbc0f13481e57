package io.keyward.kms.plugin.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyward.kms.plugin.config.KeyConfig;
import io.keyward.kms.plugin.config.SocketAccess;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SocketPlaceTest {
  @TempDir private Path directory;

  private static ServerSocketChannel bound(Path at) throws IOException {
    return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(at));
  }

  private static String problem(Path socket) {
    return catchThrowableOfType(
            SocketProblem.class, () -> SocketPlace.take(socket, SocketAccess.OWNER_ONLY))
        .problem();
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void nobodyCanReachTheSocketBeforeItHasItsMode() throws IOException {
    Path socket = directory.resolve("s");
    try (var place = SocketPlace.take(socket, SocketAccess.OWNER_ONLY);
        var _ = bound(place.birthplace())) {
      assertThat(mode(place.privateDirectory())).isEqualTo("rwx------");
      assertThat(Files.exists(socket)).isFalse();
      place.publish();
      assertThat(mode(socket)).isEqualTo("rw-------");
    }
    assertThat(Files.exists(socket)).isFalse();
  }

  @Test
  void theModeCanBeChosen() throws IOException {
    Path socket = directory.resolve("s");
    var access = new SocketAccess("0660", Optional.of(":0"), List.of());
    try (var place = SocketPlace.take(socket, access);
        var _ = bound(place.birthplace())) {
      place.publish();
      assertThat(mode(socket)).isEqualTo("rw-rw----");
    }
  }

  @Test
  void aStaleSocketIsReplaced() throws IOException {
    Path socket = directory.resolve("s");
    bound(socket).close();
    assertThat(Files.exists(socket)).isTrue();
    try (var place = SocketPlace.take(socket, SocketAccess.OWNER_ONLY);
        var _ = bound(place.birthplace())) {
      place.publish();
      assertThat(Files.exists(socket)).isTrue();
    }
  }

  @Test
  void aLiveSocketIsRefused() throws IOException {
    Path socket = directory.resolve("s");
    try (var _ = bound(socket)) {
      assertThat(problem(socket)).contains("another process already serves");
    }
  }

  @Test
  void aPlaceThatIsTakenIsRefusedEvenBeforeTheSocketIsThere() {
    Path socket = directory.resolve("s");
    try (var _ = SocketPlace.take(socket, SocketAccess.OWNER_ONLY)) {
      assertThat(problem(socket)).contains("another process already serves");
    }
    SocketPlace.take(socket, SocketAccess.OWNER_ONLY).close();
  }

  @Test
  void aFileThatIsNotASocketIsLeftAlone() throws IOException {
    Path file = Files.writeString(directory.resolve("s"), "precious");
    assertThat(problem(file)).contains("not a socket");
    assertThat(file).hasContent("precious");
  }

  @Test
  void theDirectoryIsChecked() throws IOException {
    assertThat(problem(directory.resolve("none/s"))).contains("does not exist");
    Path open = Files.createDirectory(directory.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(problem(open.resolve("s"))).contains("everybody may write");
  }

  @Test
  void finding15AStickyDirectoryThatAnyoneMayWriteToIsRefused() throws Exception {
    Path open = Files.createDirectory(directory.resolve("sticky"));
    assertThat(new ProcessBuilder("chmod", "1777", open.toString()).start().waitFor()).isZero();
    assertThat(problem(open.resolve("s"))).contains("everybody may write");
  }

  /// In the directory that a pod shares, and nowhere else.
  @Test
  void thePodIsTheBorderOfASharedDirectory() throws IOException {
    Path shared = Files.createDirectory(directory.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path socket = shared.resolve("s");
    try (var place = SocketPlace.take(socket, SocketAccess.POD);
        var _ = bound(place.birthplace())) {
      place.publish();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
          .isEqualTo("rw-rw-rw-");
      assertThat(SocketOwner.peers(shared, SocketAccess.POD)).isEmpty();
    }
    assertThat(SocketOwner.peers(shared, SocketAccess.OWNER_ONLY)).isPresent();
    assertThat(problem(socket)).contains("everybody may write");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SocketAccess("0666", Optional.empty(), List.of()));
  }

  @Test
  void finding15ALinkAtTheNameOfTheLockIsNotFollowed() throws IOException {
    Path target = directory.resolve("target");
    Files.createSymbolicLink(directory.resolve(".s.lock"), target);
    assertThat(problem(directory.resolve("s"))).contains("symbolic link");
    assertThat(target).doesNotExist();
  }

  @Test
  void finding24TheLongestPathIsServedAndOneByteMoreIsTooLong() throws IOException {
    int left = KeyConfig.MAX_SOCKET_BYTES - directory.toString().length() - 1;
    Path longest = directory.resolve("x".repeat(left));
    assertThat(longest.toString()).hasSize(102);
    try (var place = SocketPlace.take(longest, SocketAccess.OWNER_ONLY);
        var _ = bound(place.birthplace())) {
      place.publish();
      assertThat(Files.exists(longest)).isTrue();
    }
    assertThat(problem(directory.resolve("x".repeat(left + 1)))).contains("too long");
  }

  @Test
  void aPathThatTheKernelHasNoRoomForIsRefused() {
    assertThat(problem(directory.resolve("x".repeat(100)))).contains("too long");
  }

  @Test
  void anUnknownOwnerIsNamed() throws IOException {
    Path socket = directory.resolve("s");
    var access = new SocketAccess("0600", Optional.of("nobody-at-all"), List.of());
    try (var place = SocketPlace.take(socket, access);
        var _ = bound(place.birthplace())) {
      assertThat(catchThrowableOfType(SocketProblem.class, place::publish).problem())
          .contains("nobody-at-all");
    }
  }
}
