package io.keyward.kms.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keyward.kms.local.KeyStoreProblem.Kind;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.SettingsException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeyStoreFileTest {
  private static final KeyName NAME = new KeyName("payments");

  @TempDir private Path directory;

  private KeyStoreFile open(String password) {
    return new KeyStoreFile(directory.resolve("keys.p12"), new Password(password.toCharArray()));
  }

  @Test
  void listsWhatWasMadeWithoutTheKeys() {
    open("a").create(NAME);
    open("a").create(new KeyName("default"));
    assertThat(open("a").rotate(NAME)).isEqualTo(2);
    assertThat(open("a").list())
        .extracting(listed -> listed.key().value() + " " + listed.version())
        .containsExactly("default 1", "payments 1", "payments 2");
    assertThat(open("a").list()).extracting(KeyStoreFile.Listed::keyId).doesNotHaveDuplicates();
  }

  @Test
  void finding13ARotationFollowsASymbolicLink() throws IOException {
    Path real = Files.createDirectory(directory.resolve("real")).resolve("store.p12");
    var password = new Password("a".toCharArray());
    new KeyStoreFile(real, password).create(NAME);
    Path link = Files.createSymbolicLink(directory.resolve("keys.p12"), real);
    assertThat(open("a").rotate(NAME)).isEqualTo(2);
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(new KeyStoreFile(real, password).list()).hasSize(2);
  }

  @Test
  void finding13ALinkToNothingIsRefused() throws IOException {
    Path link =
        Files.createSymbolicLink(directory.resolve("keys.p12"), directory.resolve("nothing"));
    var problem = catchThrowableOfType(KeyStoreProblem.class, () -> open("a").create(NAME));
    assertThat(problem.problem()).contains("symbolic link to a file that does not exist");
    assertThat(Files.isSymbolicLink(link)).isTrue();
  }

  @Test
  void finding15ALinkAtTheNameOfTheLockIsNotFollowed() throws IOException {
    open("a").create(NAME);
    Files.delete(directory.resolve(".keys.p12.lock"));
    Path target = directory.resolve("target");
    Files.createSymbolicLink(directory.resolve(".keys.p12.lock"), target);
    assertThat(catchThrowableOfType(KeyStoreProblem.class, () -> open("a").rotate(NAME)))
        .isNotNull();
    assertThat(target).doesNotExist();
    assertThat(open("a").list()).hasSize(1);
  }

  @Test
  void finding30AFullDiskIsNamedAndTheKeyStoreStaysAsItWas() throws Exception {
    Path small = Files.createDirectory(directory.resolve("small"));
    assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", small.toString()) == 0);
    try {
      var store = new KeyStoreFile(small.resolve("keys.p12"), new Password("a".toCharArray()));
      store.create(NAME);
      assertThat(run("sh", "-c", "cat /dev/zero > " + small + "/filler")).isNotZero();
      var problem = catchThrowableOfType(KeyStoreProblem.class, () -> store.rotate(NAME));
      assertThat(problem.problem()).contains("no space left").contains("unchanged");
      assertThat(problem.remedy()).contains("free space").doesNotContain("owner");
      assertThat(store.list()).hasSize(1);
      try (var left = Files.list(small)) {
        assertThat(left.map(path -> path.getFileName().toString()))
            .containsExactlyInAnyOrder("keys.p12", ".keys.p12.lock", "filler");
      }
    } finally {
      run("umount", small.toString());
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
  }

  @Test
  void theFileIsForItsOwnerAlone() throws IOException {
    open("a").create(NAME);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("keys.p12"))))
        .isEqualTo("rw-------");
  }

  @Test
  void aRotationKeepsTheOwner() throws IOException {
    open("a").create(NAME);
    Path file = directory.resolve("keys.p12");
    UserPrincipal nobody =
        file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("65534");
    try {
      Files.setOwner(file, nobody);
    } catch (FileSystemException e) {
      assumeTrue(false, "only root can give a file away");
    }
    open("a").rotate(NAME);
    assertThat(Files.getOwner(file)).isEqualTo(nobody);
  }

  @Test
  void eachProblemHasItsOwnWords() throws IOException {
    assertThat(problem(() -> open("a").list())).isEqualTo(Kind.MISSING);
    assertThat(problem(() -> open("a").rotate(NAME))).isEqualTo(Kind.MISSING);
    open("a").create(NAME);
    assertThat(problem(() -> open("b").list())).isEqualTo(Kind.WRONG_PASSWORD);
    assertThat(problem(() -> open("b").rotate(NAME))).isEqualTo(Kind.WRONG_PASSWORD);
    assertThat(problem(() -> open("a").create(NAME))).isEqualTo(Kind.EXISTS);
    assertThat(problem(() -> open("a").rotate(new KeyName("x")))).isEqualTo(Kind.NO_SUCH_KEY);
    Files.writeString(directory.resolve("keys.p12"), "garbage");
    assertThat(problem(() -> open("a").list())).isEqualTo(Kind.DAMAGED);
    assertThat(problem(() -> open("a").create(NAME))).isEqualTo(Kind.DAMAGED);
  }

  @Test
  void aRefusedChangeLeavesTheFileAndNothingBeside() throws IOException {
    open("a").create(NAME);
    byte[] before = Files.readAllBytes(directory.resolve("keys.p12"));
    assertThat(problem(() -> open("b").rotate(NAME))).isEqualTo(Kind.WRONG_PASSWORD);
    assertThat(Files.readAllBytes(directory.resolve("keys.p12"))).isEqualTo(before);
    try (var files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("keys.p12", ".keys.p12.lock");
    }
  }

  @Test
  void aFileCutAtAnyPlaceIsRefused() throws IOException {
    open("a").create(NAME);
    byte[] whole = Files.readAllBytes(directory.resolve("keys.p12"));
    for (int length = 0; length < whole.length; length += 37) {
      Files.write(directory.resolve("keys.p12"), java.util.Arrays.copyOf(whole, length));
      assertThat(problem(() -> open("a").list())).isIn(Kind.DAMAGED, Kind.WRONG_PASSWORD);
    }
  }

  @Test
  void rotationsAtTheSameTimeLoseNothing() throws InterruptedException, ExecutionException {
    open("a").create(NAME);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> versions = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        versions.add(threads.submit(() -> open("a").rotate(NAME)));
      }
      var seen = new ArrayList<Integer>();
      for (Future<Integer> version : versions) {
        seen.add(version.get());
      }
      assertThat(seen).containsExactlyInAnyOrder(2, 3, 4, 5);
    }
  }

  @Test
  void theFactoryNamesTheSettingThatIsWrong() throws IOException {
    Path password = Files.writeString(directory.resolve("password"), "a\n");
    open("a").create(NAME);
    var good =
        Map.of(
            "keystore", directory.resolve("keys.p12").toString(),
            "passwordFile", password.toString(),
            "key", "payments");
    new LocalProviderFactory().create(new ProviderSettings(good)).close();
    assertThat(wrongSetting(good, "keystore", "/nowhere/keys.p12")).isEqualTo("keystore");
    assertThat(wrongSetting(good, "passwordFile", "/nowhere")).isEqualTo("passwordFile");
    assertThat(wrongSetting(good, "key", "Not A Name")).isEqualTo("key");
    assertThat(wrongSetting(good, "key", "unknown")).isEqualTo("keystore");
    assertThat(wrongSetting(good, "reloadInterval", "soon")).isEqualTo("reloadInterval");
  }

  private static String wrongSetting(Map<String, String> good, String name, String value) {
    var settings = new java.util.HashMap<>(good);
    settings.put(name, value);
    return catchThrowableOfType(
            SettingsException.class,
            () -> new LocalProviderFactory().create(new ProviderSettings(settings)))
        .setting();
  }

  private static Kind problem(ThrowingCallable call) {
    return catchThrowableOfType(KeyStoreProblem.class, call).kind();
  }
}
