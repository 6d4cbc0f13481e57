package io.keyward.kms.local;

import java.nio.file.Path;

/// Why a key store cannot be used, in words for the person who gave its path.
public final class KeyStoreProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// What is wrong, so that a command can say what to do.
  public enum Kind {
    MISSING("make one with: keyward keystore create"),
    NOT_READABLE("check the owner and the mode of the file and its directory"),
    NO_SPACE("free space on the file system of the key store, then try again"),
    NOT_WRITTEN("check the file system, and that no symbolic link takes the name of the lock file"),
    WRONG_PASSWORD("check the password file"),
    DAMAGED("restore the key store from a backup; without it, what it protects is lost"),
    NO_SUCH_KEY("see what it holds with: keyward keystore list"),
    EXISTS("add a version with: keyward keystore rotate");

    private final String remedy;

    Kind(String remedy) {
      this.remedy = remedy;
    }
  }

  private final Kind kind;

  KeyStoreProblem(Kind kind, Path file, String detail) {
    super("key store " + file + ": " + detail);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  public String problem() {
    return String.valueOf(getMessage());
  }

  public String remedy() {
    return kind.remedy;
  }
}
