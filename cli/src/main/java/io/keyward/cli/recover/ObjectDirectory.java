package io.keyward.cli.recover;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.output.Printable;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.audit.Coverage;
import io.keyward.storage.envelope.DisplayName;
import io.keyward.storage.object.KubeObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/// A new directory with one file for each object, named after its key, and an index of both. Only
/// the owner may read any of it. Removed if the recovery does not finish, for example on Ctrl-C.
final class ObjectDirectory implements ObjectSink {
  /// Not .yaml or .json: kubectl apply -f takes every such file of a directory.
  private static final String INDEX = "index.tsv";

  /// File systems allow 255 bytes; the ending needs some of them.
  private static final int MAX_NAME = 200;

  private static final int KEPT = 120;

  private final List<String> index = new ArrayList<>();
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
  public synchronized void write(ByteView key, KubeObject object) throws IOException {
    if (done) {
      return;
    }
    String ending = object instanceof KubeObject.Raw ? "raw" : text.output().name();
    String name = fileName(key) + "." + ending;
    byte[] bytes =
        object instanceof KubeObject.Raw(_, _, var raw)
            ? raw.toArray()
            : text.of(object).getBytes(UTF_8);
    write(name, bytes);
    index.add(name + "\t" + Printable.of(DisplayName.of(key)));
  }

  private void write(String name, byte[] bytes) throws IOException {
    Path file = root.resolve(name);
    try (var channel =
        Files.newByteChannel(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      var buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  /// The index tells which file holds which key, and what the recovery could not see.
  @Override
  public synchronized void complete(Coverage coverage) {
    if (done) {
      return;
    }
    var lines = new ArrayList<String>();
    lines.add("# coverage: " + (coverage.isComplete() ? "complete" : "INCOMPLETE"));
    coverage.reasons().forEach(reason -> lines.add("# " + Printable.of(reason)));
    lines.addAll(index);
    // Whatever happens to the index, the objects stay.
    done = true;
    try {
      write(INDEX, (String.join("\n", lines) + "\n").getBytes(UTF_8));
    } catch (IOException e) {
      throw new CommandFailure(
          "cannot write " + root.resolve(INDEX) + ": " + e.getMessage(),
          "the recovered objects are in " + root + "; free space to recover the rest",
          e);
    }
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

  /// Without a way out of the directory, whatever the key says. Distinct keys stay distinct: those
  /// that are too long or no text end with their hash.
  private static String fileName(ByteView key) {
    String name = escaped(DisplayName.of(key).replaceFirst("^/", ""));
    return name.length() <= MAX_NAME && key.utf8().isPresent()
        ? name
        : name.substring(0, Math.min(KEPT, name.length())) + "-" + hash(key);
  }

  private static String hash(ByteView key) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.toArray());
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String escaped(String key) {
    var name = new StringBuilder();
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
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
