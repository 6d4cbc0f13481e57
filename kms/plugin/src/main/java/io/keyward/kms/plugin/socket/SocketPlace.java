package io.keyward.kms.plugin.socket;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.plugin.config.KeyConfig;
import io.keyward.kms.plugin.config.SocketAccess;
import io.keyward.kms.plugin.config.SocketReach;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// The place of one socket in the file system, held by one process at a time.
///
/// A socket is bound in a directory that nobody else can enter, gets its mode and owner there, and
/// is then renamed into place. So there is no moment at which somebody may connect who should not,
/// and a stale socket is replaced in one step.
public final class SocketPlace implements AutoCloseable {
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");

  private final Path socket;
  private final SocketAccess access;
  private final Path nursery;
  private final FileChannel lockFile;
  private final FileLock lock;

  private SocketPlace(
      Path socket, SocketAccess access, Path nursery, FileChannel lockFile, FileLock lock) {
    this.socket = socket;
    this.access = access;
    this.nursery = nursery;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /// Takes the place, or says why not.
  ///
  /// @throws SocketProblem with the remedy
  public static SocketPlace take(Path socket, SocketAccess access) {
    Path directory = checkedDirectory(socket, access.reach());
    String name = socket.getFileName().toString();
    Path lockPath = directory.resolve("." + name + ".lock");
    refuseLink(lockPath);
    try {
      var lockFile =
          FileChannel.open(
              lockPath,
              Set.of(
                  StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Optional<FileLock> lock = tryLock(lockFile);
      if (lock.isEmpty()) {
        lockFile.close();
        throw inUse(socket);
      }
      refuseWhatIsThere(socket);
      Path nursery = directory.resolve("." + name + "~");
      clear(nursery);
      Files.createDirectory(nursery, PosixFilePermissions.asFileAttribute(PRIVATE));
      return new SocketPlace(socket, access, nursery, lockFile, lock.get());
    } catch (IOException e) {
      throw new SocketProblem(
          "cannot prepare the socket " + socket + ": " + e,
          "check the owner and the mode of " + directory);
    }
  }

  private static Path checkedDirectory(Path socket, SocketReach reach) {
    if (socket.toString().getBytes(UTF_8).length > KeyConfig.MAX_SOCKET_BYTES) {
      throw new SocketProblem(
          "the path of the socket is too long: " + socket,
          "use at most " + KeyConfig.MAX_SOCKET_BYTES + " bytes");
    }
    Path directory = socket.getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new SocketProblem(
          "the directory of the socket does not exist: " + directory,
          "create it: mkdir -m 0700 " + directory);
    }
    try {
      var permissions = Files.getPosixFilePermissions(directory);
      // The sticky bit does not help: anyone could take the names that the plugin uses beside it.
      if (reach == SocketReach.USERS && permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
        throw new SocketProblem(
            "everybody may write to the directory of the socket: " + directory,
            "take that away: chmod o-w " + directory);
      }
    } catch (IOException e) {
      throw new SocketProblem(
          "cannot look at the directory of the socket: " + directory, "check its owner and mode");
    }
    return directory;
  }

  /// Says why; that no link is followed is ensured where the file is opened.
  private static void refuseLink(Path lockPath) {
    if (Files.isSymbolicLink(lockPath)) {
      throw new SocketProblem(
          "a symbolic link takes the name of the lock file: " + lockPath,
          "find out who created it, then remove it");
    }
  }

  private static void refuseWhatIsThere(Path socket) throws IOException {
    if (Files.notExists(socket, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    var attributes =
        Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isOther()) {
      throw new SocketProblem(
          "there is something at " + socket + " that is not a socket",
          "move it away, or use another path");
    }
    if (somebodyListens(socket)) {
      throw inUse(socket);
    }
  }

  private static SocketProblem inUse(Path socket) {
    return new SocketProblem(
        "another process already serves " + socket,
        "stop it first, or use another path; one socket belongs to one key");
  }

  private static boolean somebodyListens(Path socket) {
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<FileLock> tryLock(FileChannel lockFile) throws IOException {
    try {
      return Optional.ofNullable(lockFile.tryLock());
    } catch (OverlappingFileLockException e) {
      return Optional.empty();
    }
  }

  /// A directory that belongs to this user and that nobody else can enter.
  Path privateDirectory() {
    return nursery;
  }

  /// Where the server binds. Only this user can reach it there.
  public Path birthplace() {
    return nursery.resolve("s");
  }

  /// Gives the bound socket its owner and mode and shows it to the world.
  public void publish() {
    Path born = birthplace();
    try {
      SocketOwner.apply(born, access);
      Files.setPosixFilePermissions(born, permissions(access.mode()));
      Files.move(born, socket, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new SocketProblem(
          "cannot open the socket " + socket + ": " + e, "check the directory's owner and mode");
    }
  }

  private static Set<PosixFilePermission> permissions(String octal) {
    int mode = Integer.parseInt(octal, 8);
    var permissions = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] ordered = PosixFilePermission.values();
    for (int i = 0; i < ordered.length; i++) {
      if ((mode & (0400 >> i)) != 0) {
        permissions.add(ordered[i]);
      }
    }
    return permissions;
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(socket);
      clear(nursery);
      lock.release();
      lockFile.close();
    } catch (IOException e) {
      // The next start replaces what is left.
    }
  }

  private static void clear(Path nursery) throws IOException {
    Files.deleteIfExists(nursery.resolve("s"));
    Files.deleteIfExists(nursery);
  }
}
