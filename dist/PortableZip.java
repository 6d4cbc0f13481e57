import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Packs a directory into a zip that is the same each time. The `jar` command would not store that
/// the launcher is executable. Arguments: directory, its name in the zip, time, zip.
final class PortableZip {
  private PortableZip() {}

  static void main(String[] args) throws IOException {
    var from = Path.of(args[0]);
    FileTime time = FileTime.from(Instant.parse(args[2]));
    URI zip = URI.create("jar:" + Path.of(args[3]).toAbsolutePath().toUri());
    var options = Map.of("create", "true", "enablePosixFileAttributes", "true");
    try (FileSystem target = FileSystems.newFileSystem(zip, options);
        Stream<Path> walk = Files.walk(from)) {
      List<Path> files = walk.sorted().toList();
      for (Path file : files) {
        Path copy = target.getPath(args[1], from.relativize(file).toString());
        boolean isProgram = Files.isDirectory(file) || Files.isExecutable(file);
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
        Files.setPosixFilePermissions(
            copy, PosixFilePermissions.fromString(isProgram ? "rwxr-xr-x" : "rw-r--r--"));
        Files.setAttribute(copy, "lastModifiedTime", time);
        Files.setAttribute(copy, "creationTime", time);
        Files.setAttribute(copy, "lastAccessTime", time);
      }
    }
  }
}
