package io.keyward.kms.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.KmsProviderContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalProviderTest extends KmsProviderContract {
  private static final KeyName NAME = new KeyName("payments");
  private static final Secret DEK = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));

  @TempDir private Path directory;
  private final List<KmsProvider> opened = new ArrayList<>();
  private Path path;
  private KeyStoreFile file;
  private KeySource source;
  private KmsProvider provider;

  @BeforeEach
  void createKeys() {
    path = directory.resolve("keys.p12");
    file = new KeyStoreFile(path, new Password("correct horse".toCharArray()));
    file.create(NAME);
    file.create(new KeyName("other"));
    source = source(NAME);
    provider = new LocalProvider(source);
    opened.add(provider);
  }

  @AfterEach
  void close() {
    opened.forEach(KmsProvider::close);
  }

  private KeySource source(KeyName name) {
    // An hour: these tests say themselves when the file is looked at.
    return new KeySource(path, file, name, Duration.ofHours(1));
  }

  private KmsProvider opened(KeySource from) {
    var made = new LocalProvider(from);
    opened.add(made);
    return made;
  }

  @Test
  void finding31AProbeSeesADamagedFileWithoutWaitingForTheNextLook() throws IOException {
    Files.writeString(path, "damaged");
    provider.recheck();
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> provider.wrap(DEK, TIMEOUT))
        .withMessageContaining("cannot be trusted");
  }

  @Override
  protected KmsProvider provider() {
    return provider;
  }

  @Override
  protected KmsProvider reopened() {
    return opened(source(NAME));
  }

  @Override
  protected KmsProvider otherKey() {
    return opened(source(new KeyName("other")));
  }

  @Override
  protected void rotate() {
    file.rotate(NAME);
    source.refresh();
  }

  @Test
  void equalNamesInTwoKeyStoresAreTwoKeys() {
    Path second = directory.resolve("second.p12");
    var secondFile = new KeyStoreFile(second, new Password("correct horse".toCharArray()));
    secondFile.create(NAME);
    var other = opened(new KeySource(second, secondFile, NAME, Duration.ofHours(1)));
    assertThat(other.wrap(DEK, TIMEOUT).kek()).isNotEqualTo(provider.wrap(DEK, TIMEOUT).kek());
  }

  @Test
  void aKeyStoreThatMovedKeepsItsIds() throws IOException {
    Wrapped before = provider.wrap(DEK, TIMEOUT);
    path = Files.move(path, directory.resolve("moved.p12"));
    file = new KeyStoreFile(path, new Password("correct horse".toCharArray()));
    assertThat(reopened().unwrap(before, TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void aDamagedKeyStoreStillOpensButSealsNothingMore() throws IOException {
    Wrapped before = provider.wrap(DEK, TIMEOUT);
    Files.writeString(path, "this is no key store");
    source.refresh();
    assertThat(provider.unwrap(before, TIMEOUT)).isEqualTo(DEK);
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> provider.wrap(DEK, TIMEOUT))
        .matches(e -> e.kind() == Kind.UNAVAILABLE)
        .matches(e -> e.describe().contains("damaged"));
  }

  @Test
  void anOlderKeyStorePutBackIsNotFollowed() throws IOException {
    byte[] old = Files.readAllBytes(path);
    rotate();
    Wrapped sealed = provider.wrap(DEK, TIMEOUT);
    Files.write(path, old);
    source.refresh();
    assertThat(provider.unwrap(sealed, TIMEOUT)).isEqualTo(DEK);
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> provider.wrap(DEK, TIMEOUT))
        .matches(e -> e.describe().contains("versions that were in use are missing"));
  }

  @Test
  void aKeyStoreThatComesBackIsTrustedAgain() throws IOException {
    byte[] good = Files.readAllBytes(path);
    Files.delete(path);
    source.refresh();
    assertThatExceptionOfType(KmsException.class).isThrownBy(() -> provider.wrap(DEK, TIMEOUT));
    Files.write(path, good);
    source.refresh();
    assertThat(provider.unwrap(provider.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }
}
