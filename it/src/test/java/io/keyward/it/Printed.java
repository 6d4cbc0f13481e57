package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Blocks of commands in the guides, which tests run as they are printed.
final class Printed {
  private Printed() {}

  /// The lines of the block after `<!-- test: NAME -->`.
  static List<String> commands(String guide, String name) {
    Pattern marked =
        Pattern.compile("<!-- test: " + name + " -->\n```sh\n(.*?)```", Pattern.DOTALL);
    try {
      Matcher found = marked.matcher(Files.readString(Path.of("../docs/guides/" + guide)));
      assertThat(found.find()).as(name).isTrue();
      return found.group(1).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
