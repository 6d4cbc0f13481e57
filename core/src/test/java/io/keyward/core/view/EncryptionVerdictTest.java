package io.keyward.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.Condition;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.rollout.Revisions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The first line of `keyward status`.
///
/// A key is `SERIAL MODE` and what it writes (w), reads (r) and has migrated (m). A node is `NAME
/// CURRENT/TARGET`, with `!REASON` where it failed and `?REASON` where it does not respond. A
/// condition is `TYPE=STATUS REASON MESSAGE`. The latest revision is 4.
final class EncryptionVerdictTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @ParameterizedTest(name = "{4}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # wanted | keys                                         | nodes           | conditions                                                     | first line
          identity | ''                                           | a 0/0           | Encrypted=False                                                | Not encrypted: plaintext is requested
          KMS      | ''                                           | a 4/4           | ''                                                             | Not encrypted: KMS is requested, but there is no key yet
          KMS      | 1 KMS                                        | a 4/4           | ''                                                             | Encrypting: key 1 (KMS) is being rolled out for reading
          KMS      | 1 KMS r=secrets                              | a 4/4           | Encrypted=False EncryptionInProgress                           | Encrypting: key 1 (KMS) is being rolled out for reading
          KMS      | 1 KMS w=secrets                              | a 4/4           | Encrypted=False EncryptionInProgress                           | Encrypting: secrets with key 1 (KMS)
          KMS      | 1 KMS w=secrets m=secrets                    | a 4/4, b 4/4    | Encrypted=True EncryptionCompleted                             | Encrypted: every resource is encrypted with key 1 (KMS)
          KMS      | 1 KMS w=secrets m=secrets                    | a 4/4, b 3/4    | Encrypted=True EncryptionCompleted                             | Encrypted: every resource is encrypted with key 1 (KMS); waiting for revision 4 on b
          KMS      | 1 KMS w=secrets m=secrets                    | a 4/4           | ''                                                             | Unknown: the operator has not reported the state yet
          KMS      | 1 KMS w=secrets m=secrets                    | a 4/4           | Encrypted=False EncryptionInProgress Resource pods is not encrypted | Encrypting: Resource pods is not encrypted
          KMS      | 1 KMS w=secrets m=secrets                    | a 4/4           | Encrypted=True, EncryptionKEKRotationProgressing=True MigratingToKEK | Re-encrypting: resources with key 1 (KMS), because the KMS key was rotated
          KMS      | 2 KMS; 1 aescbc w=secrets m=secrets          | a 4/4           | Encrypted=True                                                 | Re-encrypting: key 2 (KMS) is being rolled out; until then every resource is encrypted with key 1 (aescbc)
          KMS      | 2 KMS w=secrets; 1 aescbc r=secrets m=secrets | a 4/4          | Encrypted=True                                                 | Re-encrypting: secrets with key 2 (KMS)
          KMS      | 2 KMS w=secrets; 1 aescbc r=secrets m=secrets | a 4/4          | ''                                                             | Re-encrypting: secrets with key 2 (KMS)
          KMS      | 2 KMS w=pods; 1 aescbc w=secrets m=secrets   | a 4/4           | Encrypted=False                                                | Encrypting: pods with key 2 (KMS)
          identity | 2 identity w=secrets; 1 KMS r=secrets        | a 4/4           | Encrypted=False DecryptionInProgress                           | Decrypting: secrets
          identity | 2 identity w=secrets m=secrets               | a 4/4           | Encrypted=False DecryptionCompleted                            | Not encrypted: every resource is stored in plaintext, as requested
          KMS      | 2 identity w=secrets m=secrets               | a 4/4           | Encrypted=False DecryptionCompleted                            | Not encrypted: KMS is requested; every resource is still stored in plaintext
          KMS      | 1 KMS w=secrets m=secrets                    | a 4/4           | Encrypted=True, KMSPluginsDegraded=True X not healthy: a       | Blocked: not healthy: a
          KMS      | 1 KMS w=secrets m=secrets                    | a 4/4           | Encrypted=True, KMSPluginsDegraded=True                        | Blocked: KMSPluginsDegraded
          KMS      | 1 KMS w=secrets m=secrets                    | a 4/4           | Encrypted=True, KMSPluginsDegraded=False X fine                | Encrypted: every resource is encrypted with key 1 (KMS)
          KMS      | ''                                           | a 0/0           | EncryptionWaiting=True ExistingEncryption a runs another one   | Blocked: a runs another one
          KMS      | 1 KMS w=secrets                              | a 4/4           | EncryptionWaiting=True WaitingForMigration secrets             | Encrypting: secrets with key 1 (KMS)
          KMS      | 1 KMS w=secrets m=secrets                    | a 3/4!full disk | Encrypted=True                                                 | Blocked: a cannot run revision 4: full disk
          KMS      | 1 KMS w=secrets m=secrets                    | a 3/4?NotReady  | Encrypted=True                                                 | Blocked: a does not reach revision 4: NotReady
          """)
  void theVerdictOnAnApiServer(
      String wanted, String keys, String nodes, String conditions, String line) {
    SiteView site = site("kube-apiserver", wanted, keys, nodes, conditions);
    assertThat(EncryptionVerdict.of(site).sentence()).isEqualTo(line);
    assertThat(EncryptionVerdict.of(List.of(site), List.of()).sentence()).isEqualTo(line);
  }

  @Test
  void ofSeveralApiServersTheOneThatNeedsAttentionIsNamed() {
    SiteView fine =
        site("kube-apiserver", "KMS", "1 KMS w=secrets m=secrets", "", "Encrypted=True");
    SiteView same = site("oauth-apiserver", "KMS", "7 KMS w=pods m=pods", "", "Encrypted=True");
    SiteView busy = site("openshift-apiserver", "KMS", "1 KMS w=routes", "", "Encrypted=True");

    assertThat(EncryptionVerdict.of(List.of(fine, same), List.of()).sentence())
        .isEqualTo("Encrypted: every resource of kube-apiserver, oauth-apiserver is encrypted");
    assertThat(EncryptionVerdict.of(List.of(fine, busy), List.of()).sentence())
        .isEqualTo("Re-encrypting: openshift-apiserver: routes with key 1 (KMS)");
    assertThat(EncryptionVerdict.of(List.of(fine, busy), List.of("oauth-apiserver")).sentence())
        .isEqualTo("Unknown: the state of oauth-apiserver cannot be read");
    assertThat(EncryptionVerdict.of(List.of(), List.of()).sentence())
        .isEqualTo("Unknown: no API server is configured");
  }

  @Test
  void itIsOneLine() {
    var broken = new Condition("XDegraded", Condition.Status.TRUE, "X", "first\n  second\n", NOW);
    SiteView site = site("kube-apiserver", "KMS", "", "", "");
    assertThat(
            EncryptionVerdict.of(
                    new SiteView(
                        site.component(),
                        NOW,
                        "KMS",
                        List.of(),
                        0,
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        Duration.ZERO,
                        List.of(broken)))
                .sentence())
        .isEqualTo("Blocked: first; second");
  }

  private static SiteView site(
      String name, String wanted, String keys, String nodes, String conditions) {
    return new SiteView(
        name,
        NOW,
        wanted,
        parts(keys, ";").map(EncryptionVerdictTest::key).toList(),
        4,
        parts(nodes, ",").map(EncryptionVerdictTest::node).toList(),
        Optional.empty(),
        List.of(),
        Duration.ofMinutes(1),
        parts(conditions, ",").map(EncryptionVerdictTest::condition).toList());
  }

  private static Stream<String> parts(String text, String between) {
    return Stream.of(text.split(between, -1)).map(String::strip).filter(one -> !one.isEmpty());
  }

  private static KeyView key(String text) {
    String[] words = text.split(" ", -1);
    var writes = new ArrayList<Resource>();
    var reads = new ArrayList<Resource>();
    var migrated = new TreeSet<Resource>();
    for (String word : List.of(words).subList(2, words.length)) {
      var resource = Resource.parse(word.substring(2));
      switch (word.charAt(0)) {
        case 'w' -> writes.add(resource);
        case 'r' -> reads.add(resource);
        default -> migrated.add(resource);
      }
    }
    return new KeyView(
        new KeySerial(Long.parseLong(words[0])),
        words[1],
        Optional.empty(),
        writes,
        reads,
        migrated);
  }

  private static Revisions.Node node(String text) {
    String[] words = text.split("[ /!?]", 4);
    long current = Long.parseLong(words[1]);
    long target = Long.parseLong(words[2]);
    boolean failed = text.contains("!");
    return new Revisions.Node(
        words[0],
        current,
        target,
        failed ? target : 0,
        current == target,
        failed ? words[3] : "",
        text.contains("?") ? Optional.of(words[3]) : Optional.empty());
  }

  private static Condition condition(String text) {
    String[] words = text.split("[= ]", 4);
    return new Condition(
        words[0],
        Condition.Status.valueOf(words[1].toUpperCase(Locale.ROOT)),
        words.length > 2 ? words[2] : "",
        words.length > 3 ? words[3] : "",
        NOW);
  }
}
