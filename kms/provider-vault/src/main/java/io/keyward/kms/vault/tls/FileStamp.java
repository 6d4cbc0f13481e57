package io.keyward.kms.vault.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/// Tells whether files were replaced, without opening them. Follows links, since mounted secrets
/// are changed by moving a link.
public record FileStamp(List<String> looks) {
  public static FileStamp of(List<Path> files) {
    return new FileStamp(files.stream().map(FileStamp::look).toList());
  }

  private static String look(Path file) {
    try {
      var attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
    } catch (IOException _) {
      return "missing";
    }
  }
}
