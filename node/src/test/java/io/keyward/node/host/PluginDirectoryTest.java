package io.keyward.node.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.codec.pod.SidecarCodec;
import io.keyward.core.sidecar.PluginContainer;
import io.keyward.core.sidecar.PluginFiles;
import io.keyward.core.sidecar.Sidecars;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PluginDirectoryTest {
  private static final Sidecars SIDECARS =
      new Sidecars(
          List.of(
              new PluginContainer(
                  "keyward-kms-plugin",
                  "keyward:1",
                  List.of(),
                  List.of(),
                  List.of(),
                  true,
                  new TreeSet<>())),
          new TreeSet<>(List.of("/var/run/keyward-kms")));

  @TempDir private Path temporary;
  private Path root = Path.of("");
  private PluginDirectory plugins = new PluginDirectory(root);

  @BeforeEach
  void directory() {
    root = temporary.resolve("kms-plugin");
    plugins = new PluginDirectory(root);
  }

  private static Map<String, byte[]> files(String credential) {
    var files = new TreeMap<String, byte[]>();
    files.put(PluginFiles.SIDECARS, SidecarCodec.encode(SIDECARS).getBytes(UTF_8));
    files.put("kms-plugin-secret-login_secret-id-1", credential.getBytes(UTF_8));
    return files;
  }

  /// W16: root and the group of the plugins, and nobody else.
  @Test
  void w16OnlyThePluginsMayReadCredentials() throws IOException {
    plugins.write(3, files("canary"), 0);
    Path file = root.resolve("3/kms-plugin-secret-login_secret-id-1");
    assertThat(file).hasContent("canary");
    assertThat(mode(root)).isEqualTo("rwx------");
    assertThat(mode(root.resolve("3"))).isEqualTo("rwxr-x---");
    assertThat(mode(file)).isEqualTo("r--r-----");
    assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(65532);
    assertThat(plugins.sidecars(3)).isEqualTo(SIDECARS);
  }

  /// A plugin needs the sockets of KMS keys, and no local key.
  @Test
  void w16PluginsSeeNoLocalKeys() {
    Map<String, byte[]> files = files("a");
    files.put(
        "encryption-config",
        ("{\"resources\":[{\"resources\":[\"secrets\"],\"providers\":[{\"aescbc\":{\"keys\":[{\"name\":\"1\","
                + "\"secret\":\"canary\"}]}},{\"kms\":{\"name\":\"2_secrets\",\"endpoint\":\"unix:///a\"}},"
                + "{\"identity\":{}}]}]}")
            .getBytes(UTF_8));
    plugins.write(3, files, 0);
    assertThat(root.resolve("3/encryption-config"))
        .content()
        .contains("2_secrets")
        .doesNotContain("canary", "aescbc");
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  /// The pod of the revision before reads its files until it has ended.
  @Test
  void theRevisionThatStillRunsKeepsItsFiles() {
    plugins.write(3, files("a"), 0);
    plugins.write(4, files("b"), 3);
    assertThat(root.resolve("3")).exists();
    plugins.write(5, Map.of("encryption-config", new byte[1]), 4);
    assertThat(root.resolve("3")).doesNotExist();
    assertThat(root.resolve("4")).exists();
    assertThat(plugins.sidecars(5)).isEqualTo(Sidecars.NONE);
    plugins.keepOnly(5);
    assertThat(root.resolve("4")).doesNotExist();
    plugins.write(6, Map.of("encryption-config", new byte[1]), 5);
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void aRevisionThatIsWrittenAgainIsComplete() {
    plugins.write(3, files("a"), 0);
    plugins.write(3, files("b"), 0);
    assertThat(root.resolve("3/kms-plugin-secret-login_secret-id-1")).hasContent("b");
  }

  @Test
  void aNameThatLeavesTheDirectoryIsRefused() {
    Map<String, byte[]> files = files("a");
    files.put("..", new byte[1]);
    assertThatThrownBy(() -> plugins.write(3, files, 0)).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void aRevisionWithoutPluginsHasNoDirectory() {
    plugins.write(3, Map.of("encryption-config", new byte[1]), 0);
    assertThat(root).doesNotExist();
  }
}
