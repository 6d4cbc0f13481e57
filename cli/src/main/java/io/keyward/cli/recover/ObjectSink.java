package io.keyward.cli.recover;

import io.keyward.cli.CommandFailure;
import io.keyward.storage.object.KubeObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Where recovered objects go.
sealed interface ObjectSink {
  void write(String key, KubeObject object);

  /// One document after the other. Raw bytes cannot be part of it.
  record Stream(PrintWriter out, RecoverCommand.Output output) implements ObjectSink {
    @Override
    public void write(String key, KubeObject object) {
      if (!(object instanceof KubeObject.Raw)) {
        if (output == RecoverCommand.Output.yaml) {
          out.println("---");
        }
        out.println(ObjectText.of(object, output).strip());
        out.flush();
      }
    }
  }

  /// One file for each object, named like its key. Nobody but the owner may read any of it.
  record Directory(Path root, RecoverCommand.Output output) implements ObjectSink {
    static Directory create(Path root, RecoverCommand.Output output) {
      try {
        Files.createDirectory(
            root,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return new Directory(root, output);
      } catch (FileAlreadyExistsException e) {
        throw new CommandFailure(
            "there is something already: " + root,
            "name a new directory; nothing is overwritten",
            e);
      } catch (IOException e) {
        throw new CommandFailure("cannot create " + root, String.valueOf(e.getMessage()), e);
      }
    }

    @Override
    public void write(String key, KubeObject object) {
      String ending = object instanceof KubeObject.Raw ? "raw" : output.name();
      Path file = root.resolve(fileName(key) + "." + ending);
      byte[] bytes =
          object instanceof KubeObject.Raw(_, _, var raw)
              ? raw.toArray()
              : ObjectText.bytes(object, output);
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
}
