package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Packs a small distribution twice: image, archive, Debian package and zip must be the same bytes.
final class ReproducibleArchivesIT {
  private static final Path SCRIPT = Path.of("../dist/archives.sh").toAbsolutePath().normalize();
  private static final String TIME = "2026-01-01T00:00:00Z";

  @TempDir private Path directory;

  @Test
  void theSameFilesMakeTheSameArchives() throws IOException {
    Path first =
        distribution(
            "a",
            List.of("b.jar", "keyward-kms-client-1.2.3.jar", "a.jar", "c.jar"),
            "2001-02-03 04:05:06");
    Path second =
        distribution(
            "other/b",
            List.of("c.jar", "b.jar", "a.jar", "keyward-kms-client-1.2.3.jar"),
            "2031-02-03 04:05:06");

    Map<String, String> sums = packed(first, "022", "UTC");

    assertThat(sums.keySet())
        .containsExactlyInAnyOrder(
            "keyward-1.2.3-image-amd64.tar",
            "keyward-1.2.3-linux-x64.tar.gz",
            "keyward-1.2.3-portable.zip",
            "keyward_1.2.3_amd64.deb");
    assertThat(packed(second, "077", "Asia/Kathmandu")).isEqualTo(sums);
  }

  /// The launcher prints completions; the runtime, jars and caches are only packed.
  private Path distribution(String name, List<String> jars, String time) throws IOException {
    Path target = Files.createDirectories(directory.resolve(name));
    Path home = Files.createDirectory(target.resolve("keyward"));
    Path lib = Files.createDirectory(home.resolve("lib"));
    for (String jar : jars) {
      Files.writeString(lib.resolve(jar), "contents of " + jar);
    }
    for (String cache : List.of("plugin-tls.aot", "keyward.aot")) {
      Files.writeString(lib.resolve(cache), cache);
    }
    for (String paths : List.of("all.classpath", "plugin.classpath")) {
      Files.writeString(lib.resolve(paths), "a.jar:b.jar:keyward-kms-client-1.2.3.jar\n");
    }
    run("cp", "-R", Keyward.HOME.resolve("lib/flags").toString(), lib.toString());
    Files.writeString(home.resolve("LICENSE"), "license");
    Files.writeString(home.resolve("NOTICE"), "notice");
    Path bin = Files.createDirectory(home.resolve("bin"));
    Files.writeString(bin.resolve("keyward"), "#!/bin/sh\necho \"$*\"\n");
    run("chmod", "755", bin.resolve("keyward").toString());
    Path runtime = Files.createDirectories(home.resolve("runtime/bin"));
    Files.writeString(runtime.resolve("java"), "a program");
    Path pages = Files.createDirectories(home.resolve("share/man/man1"));
    Files.writeString(pages.resolve("keyward.1.gz"), "a page");
    run("sh", "-c", "find \"$0\" -exec touch -d \"$1\" {} +", home.toString(), time);
    return target;
  }

  private static Map<String, String> packed(Path target, String umask, String zone)
      throws IOException {
    run(
        "sh",
        "-c",
        "umask \"$0\" && exec \"$@\"",
        umask,
        "env",
        "TZ=" + zone,
        "JAVA_HOME=" + System.getProperty("java.home"),
        SCRIPT.toString(),
        target.toString(),
        "1.2.3",
        "abcdef",
        TIME);
    var sums = new TreeMap<String, String>();
    try (Stream<Path> files = Files.list(target)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String sum = run("sha256sum", file.toString()).split(" ", -1)[0];
        sums.put(file.getFileName().toString(), sum);
      }
    }
    return sums;
  }

  private static String run(String... command) {
    Keyward result = Keyward.process(Path.of("/dev/null"), List.of(command));
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    return result.out();
  }
}
