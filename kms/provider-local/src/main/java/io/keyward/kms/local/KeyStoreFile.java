package io.keyward.kms.local;

import io.keyward.kms.local.KeyStoreProblem.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;

/// A PKCS#12 file that holds the versions of one or more keys, under aliases such as `payments.v3`.
///
/// A file is always replaced whole: written beside, forced to disk, renamed. A reader sees the old
/// one or the new one. Two writers exclude each other by a lock file. A symbolic link is followed
/// first: to rename over the link would leave a second key store behind it.
public final class KeyStoreFile {
  private static final Pattern ALIAS = Pattern.compile("(.+)\\.v([1-9][0-9]{0,8})");
  private static final int MAX_BYTES = 4 << 20;
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /// The lock file keeps other processes out; within one, Java refuses to wait for it.
  private static final ReentrantLock ONE_WRITER = new ReentrantLock();

  private final Path file;
  private final Password password;

  public KeyStoreFile(Path file, Password password) {
    this.file = file;
    this.password = password;
  }

  /// Makes a new file with the first version of `name`, or adds `name` to an existing file.
  public void create(KeyName name) {
    change(
        store -> {
          if (!versions(store, name).isEmpty()) {
            throw new KeyStoreProblem(Kind.EXISTS, file, "it already has a key " + name.value());
          }
          add(store, name, 1);
        },
        true);
  }

  /// Adds a version to `name`. The earlier ones stay: data may still depend on them.
  public int rotate(KeyName name) {
    var added = new int[1];
    change(
        store -> {
          int newest = versions(store, name).stream().mapToInt(KeyVersion::number).max().orElse(0);
          if (newest == 0) {
            throw new KeyStoreProblem(Kind.NO_SUCH_KEY, file, "it has no key " + name.value());
          }
          added[0] = newest + 1;
          add(store, name, added[0]);
        },
        false);
    return added[0];
  }

  /// All versions of `name`, oldest first; never empty.
  List<KeyVersion> versions(KeyName name) {
    List<KeyVersion> found = guarded(() -> versions(load(), name));
    if (found.isEmpty()) {
      throw new KeyStoreProblem(Kind.NO_SUCH_KEY, file, "it has no key " + name.value());
    }
    return found;
  }

  /// What the file holds, without the keys themselves, sorted by name and number.
  public List<Listed> list() {
    return guarded(() -> {
      KeyStore store = load();
      var listed = new ArrayList<Listed>();
      for (String alias : Collections.list(store.aliases())) {
        Optional<KeyVersion> version = version(store, alias);
        version.ifPresent(
            found -> listed.add(new Listed(found.name(), found.number(), found.id().value())));
      }
      Collections.sort(listed);
      return List.copyOf(listed);
    });
  }

  /// One version as `keyward keystore list` shows it.
  public record Listed(KeyName key, int version, String keyId) implements Comparable<Listed> {
    @Override
    public int compareTo(Listed other) {
      int byName = key.value().compareTo(other.key().value());
      return byName != 0 ? byName : Integer.compare(version, other.version());
    }
  }

  private interface Change {
    void apply(KeyStore store) throws GeneralSecurityException;
  }

  private interface Reading<T> {
    T run() throws IOException, GeneralSecurityException;
  }

  private void change(Change change, boolean mayBeNew) {
    ONE_WRITER.lock();
    try {
      changeAlone(change, mayBeNew);
    } finally {
      ONE_WRITER.unlock();
    }
  }

  private void changeAlone(Change change, boolean mayBeNew) {
    guarded(() -> {
      Path target = target();
      Path directory = target.toAbsolutePath().getParent();
      if (directory == null || !Files.isDirectory(directory)) {
        throw new KeyStoreProblem(Kind.MISSING, file, "its directory does not exist");
      }
      Path lock = directory.resolve("." + target.getFileName() + ".lock");
      try (var channel =
              FileChannel.open(
                  lock,
                  Set.of(
                      StandardOpenOption.CREATE,
                      StandardOpenOption.WRITE,
                      LinkOption.NOFOLLOW_LINKS),
                  OWNER_ONLY);
          var _ = channel.lock()) {
        KeyStore store = mayBeNew && Files.notExists(target) ? empty() : load();
        change.apply(store);
        replace(target, directory, store);
      }
      return true;
    });
  }

  /// The file itself, behind all symbolic links.
  private Path target() throws IOException {
    if (Files.exists(file)) {
      return file.toRealPath();
    }
    if (Files.isSymbolicLink(file)) {
      throw new KeyStoreProblem(
          Kind.MISSING, file, "it is a symbolic link to a file that does not exist");
    }
    return file;
  }

  private void replace(Path target, Path directory, KeyStore store)
      throws IOException, GeneralSecurityException {
    var bytes = new ByteArrayOutputStream();
    store.store(bytes, password.reveal());
    Path next = directory;
    try {
      next = Files.createTempFile(directory, "." + target.getFileName(), ".new", OWNER_ONLY);
      try (var channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
        var buffer = ByteBuffer.wrap(bytes.toByteArray());
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        channel.force(true);
      }
      keepOwner(target, next);
      Files.move(next, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true); // the rename too must survive a power cut
      }
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      throw notWritten(e);
    } finally {
      if (!next.equals(directory)) {
        Files.deleteIfExists(next);
      }
    }
  }

  /// The JDK has no exception types for this; the words of the kernel are all there is.
  private static boolean isFull(IOException e) {
    String reason = String.valueOf(e.getMessage());
    return reason.contains("No space left") || reason.contains("quota exceeded");
  }

  private KeyStoreProblem notWritten(IOException e) {
    return isFull(e)
        ? new KeyStoreProblem(
            Kind.NO_SPACE, file, "the file system has no space left; the key store is unchanged")
        : new KeyStoreProblem(
            Kind.NOT_WRITTEN, file, "it cannot be written and is unchanged: " + e.getMessage());
  }

  /// A file that root rotates must still be readable for the plugin's user.
  private static void keepOwner(Path target, Path next) throws IOException {
    if (Files.exists(target) && !Files.getOwner(target).equals(Files.getOwner(next))) {
      Files.setOwner(next, Files.getOwner(target));
    }
  }

  private void add(KeyStore store, KeyName name, int number) throws GeneralSecurityException {
    var generator = KeyGenerator.getInstance("AES");
    generator.init(256);
    store.setEntry(
        name.value() + ".v" + number,
        new KeyStore.SecretKeyEntry(generator.generateKey()),
        new KeyStore.PasswordProtection(password.reveal()));
  }

  private List<KeyVersion> versions(KeyStore store, KeyName name) throws GeneralSecurityException {
    var found = new ArrayList<KeyVersion>();
    for (String alias : Collections.list(store.aliases())) {
      Matcher matcher = ALIAS.matcher(alias);
      if (matcher.matches() && matcher.group(1).equals(name.value())) {
        version(store, alias).ifPresent(found::add);
      }
    }
    found.sort((a, b) -> Integer.compare(a.number(), b.number()));
    return found;
  }

  /// Empty for what is not ours: a file may hold other things too.
  private Optional<KeyVersion> version(KeyStore store, String alias)
      throws GeneralSecurityException {
    Matcher matcher = ALIAS.matcher(alias);
    if (!matcher.matches() || !store.entryInstanceOf(alias, KeyStore.SecretKeyEntry.class)) {
      return Optional.empty();
    }
    if (!(store.getKey(alias, password.reveal()) instanceof SecretKey key)
        || key.getEncoded().length != 32) {
      throw new KeyStoreProblem(Kind.DAMAGED, file, alias + " is not a 256-bit AES key");
    }
    return Optional.of(
        KeyVersion.of(new KeyName(matcher.group(1)), Integer.parseInt(matcher.group(2)), key));
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private KeyStore load() throws IOException, GeneralSecurityException {
    long size = Files.size(file);
    if (size > MAX_BYTES) {
      throw new KeyStoreProblem(Kind.DAMAGED, file, "it is too large to be a key store");
    }
    if (!Files.isRegularFile(file)) {
      throw new KeyStoreProblem(Kind.DAMAGED, file, "it is not a file");
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try {
      store.load(new ByteArrayInputStream(Files.readAllBytes(file)), password.reveal());
    } catch (IOException e) {
      if (e.getCause() instanceof UnrecoverableKeyException) {
        throw new KeyStoreProblem(Kind.WRONG_PASSWORD, file, "the password does not open it");
      }
      throw new KeyStoreProblem(Kind.DAMAGED, file, "it is not a PKCS#12 file, or it is damaged");
    }
    return store;
  }

  private <T> T guarded(Reading<T> reading) {
    try {
      return reading.run();
    } catch (NoSuchFileException e) {
      throw new KeyStoreProblem(Kind.MISSING, file, "it does not exist");
    } catch (AccessDeniedException e) {
      throw new KeyStoreProblem(Kind.NOT_READABLE, file, "this user may not read or write it");
    } catch (IOException e) {
      throw isFull(e)
          ? notWritten(e)
          : new KeyStoreProblem(Kind.NOT_READABLE, file, "the disk refused: " + e.getMessage());
    } catch (UnrecoverableKeyException e) {
      throw new KeyStoreProblem(
          Kind.WRONG_PASSWORD, file, "the password does not open a key in it");
    } catch (GeneralSecurityException e) {
      throw new KeyStoreProblem(Kind.DAMAGED, file, "it cannot be understood");
    }
  }
}
