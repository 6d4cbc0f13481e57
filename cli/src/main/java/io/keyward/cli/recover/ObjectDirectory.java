package io.keyward.cli.recover;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.cli.CommandFailure;
import io.keyward.storage.object.KubeObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// A new directory with one file for each object, named like its key. Nobody but the owner may read
/// any of it. Removed again when the recovery does not end, be it by Ctrl-C.
final class ObjectDirectory implements ObjectSink {
  private final Path root;
  private final ObjectText text;
  private final Thread onInterrupt = new Thread(this::abandon, "remove-unfinished");
  private boolean done;

  private ObjectDirectory(Path root, ObjectText text) {
    this.root = root;
    this.text = text;
  }

  static ObjectDirectory create(Path root, ObjectText text) {
    try {
      Files.createDirectory(
          root, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailure(
          "there is something already: " + root, "name a new directory; nothing is overwritten", e);
    } catch (IOException e) {
      throw new CommandFailure("cannot create " + root, String.valueOf(e.getMessage()), e);
    }
    var directory = new ObjectDirectory(root, text);
    Runtime.getRuntime().addShutdownHook(directory.onInterrupt);
    return directory;
  }

  @Override
  public boolean takesRaw() {
    return true;
  }

  /// Not while it is being removed.
  @Override
  public synchronized void write(String key, KubeObject object) {
    if (done) {
      return;
    }
    String ending = object instanceof KubeObject.Raw ? "raw" : text.output().name();
    Path file = root.resolve(fileName(key) + "." + ending);
    byte[] bytes =
        object instanceof KubeObject.Raw(_, _, var raw)
            ? raw.toArray()
            : text.of(object).getBytes(UTF_8);
    try (var channel =
        Files.newByteChannel(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      var buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (IOException e) {
      throw new CommandFailure("cannot write " + file, String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public synchronized void complete() {
    done = true;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
    } catch (IllegalStateException ending) {
      // The hook is at work already, and does the same.
      return;
    }
    abandon();
  }

  private synchronized void abandon() {
    if (done) {
      return;
    }
    done = true;
    try (var files = Files.list(root)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(root);
    } catch (IOException e) {
      throw new CommandFailure(
          "decrypted objects are left in " + root, "remove the directory by hand", e);
    }
  }

  /// Without a way out of the directory, whatever the key says. Distinct keys stay distinct.
  private static String fileName(String key) {
    var name = new StringBuilder();
    for (char c : key.replaceFirst("^/", "").toCharArray()) {
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '.';
      if (c == '/') {
        name.append('_');
      } else if (plain) {
        name.append(c);
      } else {
        name.append('%').append(Integer.toHexString(c));
      }
    }
    return name.toString();
  }
}
