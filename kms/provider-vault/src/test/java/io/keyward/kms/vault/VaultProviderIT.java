package io.keyward.kms.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekReport.State;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.KmsProviderContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The contract, and what is special about Vault, on a real one with TLS. Numbers of defects are
/// those of the plugins that others wrote.
final class VaultProviderIT extends KmsProviderContract {
  private static final Secret DEK = new Secret(new byte[32]);

  @TempDir private static Path directory;
  private static RealVault vault;
  private static Map<String, String> settings;
  private KmsProvider provider;

  @BeforeAll
  static void start() {
    vault = new RealVault(directory);
    settings = vault.appRole();
  }

  @AfterAll
  static void stop() {
    vault.close();
  }

  @BeforeEach
  void open() {
    provider = vault.open(settings);
  }

  @AfterEach
  void close() {
    vault.server().resume();
    vault.closeProviders();
  }

  @Override
  protected KmsProvider provider() {
    return provider;
  }

  @Override
  protected KmsProvider reopened() {
    return vault.open(settings);
  }

  @Override
  protected KmsProvider otherKey() {
    return vault.open(RealVault.with(settings, "key", "other"));
  }

  @Override
  protected void rotate() {
    vault.admin("transit/keys/kms/rotate", "{}");
  }

  @Override
  protected boolean hang() {
    vault.server().pause();
    return true;
  }

  @Test
  void defect3KeysOfOneNameInTwoMountsHaveDifferentIds() {
    vault.admin("sys/mounts/second/transit", "{\"type\":\"transit\"}");
    vault.admin("second/transit/keys/kms", "{}");
    var root = vault.token(vault.file(vault.server().rootToken()));
    var other = vault.open(RealVault.with(root, "mount", "second/transit"));

    Wrapped foreign = other.wrap(DEK, TIMEOUT);

    assertThat(foreign.kek()).isNotEqualTo(provider.wrap(DEK, TIMEOUT).kek());
    assertThat(failure(() -> provider.unwrap(foreign, TIMEOUT)).kind()).isEqualTo(Kind.UNKNOWN_KEK);
  }

  @Test
  void defect4KeyIdAndCiphertextAgreeWhileTheKeyIsRotated() throws InterruptedException {
    var wrapped = new ConcurrentLinkedQueue<Wrapped>();
    var failures = new ConcurrentLinkedQueue<RuntimeException>();
    var rotating = new AtomicBoolean(true);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int caller = 0; caller < 3 * VaultProvider.WIDTH; caller++) {
        callers.execute(() -> {
          while (rotating.get()) {
            try {
              wrapped.add(provider.wrap(DEK, TIMEOUT));
            } catch (RuntimeException e) {
              failures.add(e);
            }
          }
        });
      }
      for (int i = 0; i < 20; i++) {
        rotate();
      }
      rotating.set(false);
    }
    assertThat(failures).isEmpty();
    var versions = new HashSet<Integer>();
    var path = new KeyPath("transit", "kms", vault.server().url() + "/transit/kms");
    for (Wrapped each : wrapped) {
      int version = TransitText.parse(each.ciphertext().toArray()).orElseThrow().version();
      assertThat(each.kek()).isEqualTo(path.version(version));
      versions.add(version);
    }
    assertThat(versions).as("rotations seen").hasSizeGreaterThan(5);
    assertThat(provider.unwrap(wrapped.element(), TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void defect5ARevokedTokenCostsNoFailedCall() {
    provider.wrap(DEK, TIMEOUT);
    vault.revokeLogins();

    assertThat(provider.unwrap(provider.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void callsThatAreRefusedTogetherShareOneLogin() throws IOException {
    provider.wrap(DEK, TIMEOUT);
    vault.revokeLogins();
    int before = vault.tokens();
    Path log = vault.audit();
    var done = new Semaphore(0);
    whileVaultPauses(
        32,
        _ -> {
          provider.wrap(DEK, TIMEOUT);
          done.release();
        });
    assertThat(done.availablePermits()).isEqualTo(32);
    assertThat(vault.tokens()).isEqualTo(before + 1);
    assertThat(RealVault.requests(log, "transit/encrypt/kms")).isLessThan(32);
  }

  @Test
  void callsThatMustWaitShareRequestsAndEachHasItsOwnAnswer() throws IOException {
    rotate();
    Wrapped good = provider.wrap(DEK, TIMEOUT);
    byte[] bytes = good.ciphertext().toArray();
    int place = bytes.length / 2;
    bytes[place] = (byte) (bytes[place] == 'A' ? 'B' : 'A');
    var bad = new Wrapped(good.kek(), Bytes.copyOf(bytes), good.annotations());
    Path log = vault.audit();
    var opened = new ConcurrentLinkedQueue<Secret>();
    var refused = new ConcurrentLinkedQueue<Kind>();

    whileVaultPauses(
        96,
        caller -> {
          try {
            opened.add(provider.unwrap(caller % 8 == 0 ? bad : good, TIMEOUT));
          } catch (KmsException e) {
            refused.add(e.kind());
          }
        });
    assertThat(opened).hasSize(84).containsOnly(DEK);
    assertThat(refused).hasSize(12).containsOnly(Kind.CORRUPT);
    assertThat(RealVault.requests(log, "transit/decrypt/kms")).isBetween(12, 40);
  }

  @Test
  void aPolicyThatForbidsBatchesCostsRequestsAndNoCall() {
    vault.policy(
        "single",
        "path \\\"transit/encrypt/*\\\" { capabilities = [\\\"update\\\"] "
            + "denied_parameters = { \\\"batch_input\\\" = [] } }");
    provider = vault.open(vault.appRole("single", "{\"token_policies\":\"single\"}"));
    provider.wrap(DEK, TIMEOUT); // logs in
    var done = new Semaphore(0);
    whileVaultPauses(
        64,
        _ -> {
          provider.wrap(DEK, TIMEOUT);
          done.release();
        });
    assertThat(done.availablePermits()).isEqualTo(64);
  }

  @Test
  void aPolicyWithoutDecryptIsNamedAndDoesNotMakeALoginForEveryCall() {
    vault.policy("sealer", "path \\\"transit/encrypt/*\\\" { capabilities = [\\\"update\\\"] }");
    var sealer = vault.open(vault.appRole("sealer", "{\"token_policies\":\"sealer\"}"));
    Wrapped wrapped = sealer.wrap(DEK, TIMEOUT);
    int before = vault.tokens();

    for (int i = 0; i < 5; i++) {
      KmsException denied = failure(() -> sealer.unwrap(wrapped, TIMEOUT));
      assertThat(denied.kind()).isEqualTo(Kind.DENIED);
      assertThat(denied.describe()).contains("capability update on transit/decrypt/kms");
    }
    assertThat(vault.tokens()).isLessThanOrEqualTo(before + 1);
    assertThat(sealer.report(TIMEOUT).warnings())
        .anyMatch(warning -> warning.contains("lacks the capability update on transit/decrypt/kms"))
        .anyMatch(warning -> warning.contains("capability read on transit/keys/kms"));
  }

  @Test
  void aWrongMountIsNamed() {
    KmsException wrong = failure(() -> rootWith("mount", "tranzit").wrap(DEK, TIMEOUT));
    assertThat(wrong.kind()).isEqualTo(Kind.UNKNOWN_KEK);
    assertThat(wrong.describe()).contains("no transit engine there").contains("mount");
  }

  @Test
  void aKeyThatIsNotForEncryptionIsNamed() {
    vault.key("signer", "{\"type\":\"ed25519\"}");
    KmsProvider signer = rootWith("key", "signer");
    KmsException wrong = failure(() -> signer.wrap(DEK, TIMEOUT));
    assertThat(wrong.kind()).isEqualTo(Kind.DENIED);
    assertThat(wrong.describe()).contains("not for encryption").contains("aes256-gcm96");
    assertThat(signer.report(TIMEOUT).state()).isEqualTo(State.DISABLED);
  }

  @Test
  void aKeyThatDoesNotExistIsNotMade() {
    var missing = vault.open(RealVault.with(settings, "key", "nowhere"));
    assertThat(failure(() -> missing.wrap(DEK, TIMEOUT)).kind()).isEqualTo(Kind.DENIED);
    assertThat(failure(() -> missing.report(TIMEOUT)).kind()).isEqualTo(Kind.UNKNOWN_KEK);
  }

  @Test
  void rsaKeysAreBoundByTheKeyAlone() {
    vault.key("rsa", "{\"type\":\"rsa-2048\"}");
    KmsProvider rsa = rootWith("key", "rsa");
    Wrapped wrapped = rsa.wrap(DEK, TIMEOUT);
    assertThat(rsa.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
    assertThat(wrapped.annotations()).isEqualTo(Binding.KEY_ALONE.annotations(1));
    var pretended =
        new Wrapped(wrapped.kek(), wrapped.ciphertext(), Binding.ASSOCIATED_DATA.annotations(1));
    assertThat(failure(() -> rsa.unwrap(pretended, TIMEOUT)).kind()).isEqualTo(Kind.CORRUPT);
  }

  @Test
  void withoutItsAssociatedDataVaultDoesNotOpenIt() {
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    int version = TransitText.parse(wrapped.ciphertext().toArray()).orElseThrow().version();
    Annotations weaker = Binding.KEY_ALONE.annotations(version);
    var bad = new Wrapped(wrapped.kek(), wrapped.ciphertext(), weaker);
    assertThat(failure(() -> provider.unwrap(bad, TIMEOUT)).kind()).isEqualTo(Kind.CORRUPT);
  }

  @Test
  void derivedKeysWork() {
    vault.key("derived", "{\"derived\":true}");
    KmsProvider derived = rootWith("key", "derived");
    assertThat(derived.unwrap(derived.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void aKeyThatMovedIsOpenedWithItsFormerIdentity() {
    Wrapped before = provider.wrap(DEK, TIMEOUT);
    String byName = vault.server().url().toString().replace("127.0.0.1", "localhost");
    var moved = RealVault.with(settings, "address", byName);
    KmsProvider unaware = vault.open(moved);
    assertThat(failure(() -> unaware.unwrap(before, TIMEOUT)).kind()).isEqualTo(Kind.UNKNOWN_KEK);
    String former = vault.server().url() + "/transit/kms";
    assertThat(vault.open(RealVault.with(moved, "identity", former)).unwrap(before, TIMEOUT))
        .isEqualTo(DEK);
  }

  @Test
  void whatIsUnwiseIsReportedBeforeItHurts() {
    vault.key("loose", "{\"exportable\":true}");
    vault.admin("transit/keys/loose/rotate", "{}");
    vault.admin(
        "transit/keys/loose/config", "{\"deletion_allowed\":true,\"min_decryption_version\":2}");

    var report = rootWith("key", "loose").report(TIMEOUT);

    assertThat(report.state()).isEqualTo(State.ENABLED);
    assertThat(report.warnings())
        .anyMatch(warning -> warning.contains("may be deleted"))
        .anyMatch(warning -> warning.contains("before 2 cannot be opened"))
        .anyMatch(warning -> warning.contains("can leave Vault"));
    var good = provider.report(TIMEOUT);
    assertThat(good.warnings()).isEmpty();
    assertThat(good.credentialsUntil()).isPresent();
  }

  @Test
  void aVersionThatMayNotDecryptAnyMoreIsNamed() {
    vault.key("aging", "{}");
    KmsProvider aging = rootWith("key", "aging");
    Wrapped old = aging.wrap(DEK, TIMEOUT);
    vault.admin("transit/keys/aging/rotate", "{}");
    vault.admin("transit/keys/aging/config", "{\"min_decryption_version\":2}");
    KmsException refused = failure(() -> aging.unwrap(old, TIMEOUT));
    assertThat(refused.kind()).isEqualTo(Kind.UNKNOWN_KEK);
    assertThat(refused.describe()).contains("min_decryption_version");
  }

  /// Counted by the provider itself: the table of the kernel also shows the connections of the
  /// test's own client.
  @Test
  void aThousandCallsOf64CallersOpenNoConnection() throws Exception {
    provider.wrap(DEK, TIMEOUT); // logs in: without a session, all calls wait for one login
    // Makes it open all it ever needs: one for each call that may be under way.
    whileVaultPauses(64, _ -> provider.wrap(DEK, TIMEOUT));
    Path log = vault.audit();
    long before = opened();
    assertThat(before).isGreaterThanOrEqualTo(VaultProvider.WIDTH);

    callAtOnce(64, 16);

    // All of them may be busy when the session asks for something: one more for its request, and
    // one for a report.
    assertThat(opened() - before).as("opened by 1024 calls").isLessThanOrEqualTo(2);
    assertThat(RealVault.requests(log, "transit/encrypt/kms")).isBetween(64, 1024);
  }

  private long opened() {
    return ((VaultProvider) provider).connectionsOpened();
  }

  @Test
  void whileThereIsRoomEachCallIsOneRequest() throws IOException {
    Path log = vault.audit();
    callAtOnce(VaultProvider.WIDTH, 10);
    assertThat(RealVault.requests(log, "transit/encrypt/kms")).isEqualTo(VaultProvider.WIDTH * 10);
  }

  /// Makes the calls while Vault answers nobody, so that most of them must wait, and lets it go on.
  private void whileVaultPauses(int callers, IntConsumer call) {
    var mine = (VaultProvider) provider;
    vault.server().pause();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < callers; i++) {
        int caller = i;
        threads.execute(() -> call.accept(caller));
      }
      // Until all that may be under way is, and all others wait.
      await().atMost(TIMEOUT).until(() -> mine.waitingCalls() >= callers - VaultProvider.WIDTH);
      vault.server().resume();
    }
  }

  private void callAtOnce(int callers, int each) {
    var done = new Semaphore(0);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int caller = 0; caller < callers; caller++) {
        threads.execute(() -> {
          for (int i = 0; i < each; i++) {
            provider.wrap(DEK, TIMEOUT);
            done.release();
          }
        });
      }
    }
    assertThat(done.availablePermits()).isEqualTo(callers * each);
  }

  private KmsProvider rootWith(String setting, String value) {
    var root = vault.token(vault.file(vault.server().rootToken()));
    return vault.open(RealVault.with(root, setting, value));
  }

  private static KmsException failure(ThrowingCallable call) {
    var failure = catchThrowableOfType(KmsException.class, call);
    assertThat(failure).isNotNull();
    return failure;
  }
}
