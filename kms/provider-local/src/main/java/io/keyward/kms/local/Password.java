package io.keyward.kms.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// The password of a key store. Comes from a file, never from an argument or the environment.
public final class Password {
  private static final int MAX_BYTES = 4096;

  private final char[] characters;

  Password(char[] characters) {
    this.characters = characters.clone();
  }

  /// Reads the first line of `file`.
  public static Password read(Path file) {
    byte[] bytes;
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new PasswordProblem(file, "is too long to be a password");
      }
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new PasswordProblem(file, "does not exist");
    } catch (IOException e) {
      throw new PasswordProblem(file, "cannot be read");
    }
    var decoded = UTF_8.decode(ByteBuffer.wrap(bytes));
    int length = 0;
    while (length < decoded.length()
        && decoded.charAt(length) != '\n'
        && decoded.charAt(length) != '\r') {
      length++;
    }
    if (length == 0) {
      throw new PasswordProblem(file, "is empty");
    }
    var characters = new char[length];
    decoded.get(0, characters);
    return new Password(characters);
  }

  char[] reveal() {
    return characters.clone();
  }

  @Override
  public String toString() {
    return "Password[hidden]";
  }
}
