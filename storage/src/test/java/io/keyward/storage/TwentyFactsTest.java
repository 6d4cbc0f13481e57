package io.keyward.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.snapshot.EtcdFile;
import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Auditor;
import io.keyward.storage.audit.Auditor.Location;
import io.keyward.storage.audit.Expectation;
import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.audit.ObjectCheck;
import io.keyward.storage.audit.Source;
import io.keyward.storage.config.ConfigLoader;
import io.keyward.storage.config.ConfigVerdict;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.envelope.ValueEnvelope;
import io.keyward.storage.object.KubeObject;
import io.keyward.storage.read.ErrorClass;
import io.keyward.storage.read.Reading;
import io.keyward.storage.read.StorageReader;
import io.keyward.storage.read.Unwrapper;
import io.keyward.storage.read.WrappedDek;
import io.keyward.storage.resource.EtcdKey;
import io.keyward.storage.resource.GroupResource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What readers of Kubernetes' stored values most easily get wrong, one test for each fact.
final class TwentyFactsTest {
  private static final Map<String, JsonNode> VECTORS =
      Vectors.lines("public.jsonl").stream()
          .collect(Collectors.toMap(line -> line.get("id").asText(), Function.identity()));

  private static final Source SOURCE = new Source("x", 1, 0, 0, 0, 0, Optional.empty(), List.of());

  @TempDir private Path directory;

  @Test
  void fact01UnencryptedIsWhatDoesNotBeginWithTheMark() {
    assertThat(parse("k8s:enc").isEncrypted()).isFalse();
    assertThat(parse("K8S:ENC:aescbc:v1:k:").isEncrypted()).isFalse();
    assertThat(parse("k8s:enc:identity:v1:x").isEncrypted()).isTrue();
    assertThat(parse("k8s:enc:identity:v1:x").provider().word()).isEqualTo("unknown");
  }

  @Test
  void fact02TheWholeEtcdKeyIsBoundButNotByCbcAndSecretbox() {
    assertRefused("aesgcm/028", ErrorClass.AUTH_FAILED);
    assertRefused("aesgcm/029", ErrorClass.AUTH_FAILED);
    assertRefused("kmsv2-seed/041", ErrorClass.AUTH_FAILED);
    assertOpens("aescbc/028");
    assertOpens("secretbox/026");
  }

  @Test
  void fact03APadMayBeLongerThanABlock() {
    assertOpens("aescbc/048");
    assertOpens("aescbc/050");
    assertRefused("aescbc/045", ErrorClass.BAD_PADDING);
  }

  @Test
  void fact04AnIvWithoutBlocksIsRefusedCleanly() {
    assertRefused("aescbc/038", ErrorClass.TOO_SHORT);
  }

  @Test
  void fact05KeyNamesMayHoldColonsAndAFailedMatchIsNotFinal() {
    assertOpens("aescbc/020");
    assertOpens("aescbc/026");
    assertOpens("aesgcm/026");
  }

  @Test
  void fact06KmsV1FallsBackToCbcWithoutIntegrity() {
    assertThat(assertOpens("kmsv1/019").stale()).isTrue();
    assertThat(assertOpens("kmsv1/039").stale()).isTrue();
  }

  @Test
  void fact07ASeedIsExpandedWithoutSaltOrExtract() {
    assertOpens("kmsv2-seed/002");
    assertOpens("kmsv2-seed/025");
    assertRefused("kmsv2-seed/027", ErrorClass.BAD_DEK_SIZE);
  }

  @Test
  void fact08LimitsAreInclusive() {
    assertOpens("kmsv2-seed/012");
    assertOpens("kmsv2-seed/014");
    assertOpens("kmsv2-seed/017");
    assertRefused("kmsv2-seed/047", ErrorClass.INVALID_ENCRYPTED_OBJECT);
    assertRefused("kmsv2-seed/049", ErrorClass.INVALID_ENCRYPTED_OBJECT);
    assertRefused("kmsv2-seed/057", ErrorClass.INVALID_ENCRYPTED_OBJECT);
  }

  @Test
  void fact09AnnotationKeysAreDomainNames() {
    assertOpens("kmsv2-seed/015");
    for (int id = 50; id <= 56; id++) {
      assertRefused("kmsv2-seed/0" + id, ErrorClass.INVALID_ENCRYPTED_OBJECT);
    }
  }

  @Test
  void fact10ASingleDekIsAlwaysStale() {
    assertThat(assertOpens("kmsv2-key/008").stale()).isTrue();
    assertThat(assertOpens("kmsv2-seed/008").stale()).isFalse();
  }

  @Test
  void fact11AnotherSeedUnderTheSameKeyIdIsNotStale() {
    JsonNode one = vector("kmsv2-seed/008");
    JsonNode other = vector("kmsv2-seed/009");
    assertThat(one.at("/inspect/encryptedDEKSource"))
        .isNotEqualTo(other.at("/inspect/encryptedDEKSource"));
    assertThat(assertOpens("kmsv2-seed/008").stale()).isFalse();
    assertThat(assertOpens("kmsv2-seed/009").stale()).isFalse();
  }

  /// The API server goes by the key_id that Status names, whatever else Status says.
  @Test
  void fact12OnlyTheKeyIdOfStatusDecidesWhatIsStale() {
    JsonNode vector = vector("kmsv2-seed/008");
    assertThat(((Reading.Opened) read(vector, kms(vector, Optional.of("another")))).stale())
        .isTrue();
    String same = vector.at("/inspect/keyId").asText();
    assertThat(((Reading.Opened) read(vector, kms(vector, Optional.of(same)))).stale()).isFalse();
  }

  /// An API server could not read these. A backup must be readable all the same.
  @Test
  void fact13WithoutAnyGoodStatusWeStillRead() {
    JsonNode vector = vector("kmsv2-seed/008");
    assertThat(read(vector, kms(vector, Optional.empty()))).isInstanceOf(Reading.Opened.class);
  }

  /// An API server may read on from its memory for a day. An audit has none, and says so at once.
  @Test
  void fact14ADestroyedKekShowsAtOnce() {
    assertRefused("kmsv2-seed/019", ErrorClass.KMS_DECRYPT_FAILED);
  }

  @Test
  void fact15TheWildcardDoesNotCoverBookKeeping() {
    AuditReport report =
        audit(
            Optional.empty(),
            "/registry/masterleases/192.0.2.1",
            "/registry/peerserverleases/a",
            "/registry/ranges/serviceips",
            "compact_rev_key");
    assertThat(report.count(Rule.PLAINTEXT)).isZero();
    assertThat(audit(Optional.empty(), "/registry/leases/a/b").count(Rule.PLAINTEXT)).isOne();
  }

  @Test
  void fact16CustomResourcesAreJsonAndBuiltInsProtobuf() throws Exception {
    EncryptionConfig config = config(Vectors.text("public-cluster-config.json"));
    var reader = new StorageReader(config, Unwrapper.none());
    var json = new TreeSet<String>();
    var protobuf = new TreeSet<String>();
    try (EtcdFile file = EtcdFile.open(Vectors.unpack("public-cluster.db", directory))) {
      file.mvcc()
          .forEach((record, live) -> {
            EtcdKey place = EtcdKey.parse(record.key());
            if (live
                && reader.read(place.resource(), record.key(), record.value())
                    instanceof Reading.Opened(var plaintext, _, _)) {
              switch (KubeObject.of(plaintext)) {
                case KubeObject.Json _ -> json.add(place.resource().toString());
                case KubeObject.Decoded _ -> protobuf.add(place.resource().toString());
                case KubeObject.Raw _ -> {}
              }
            }
          });
    }
    assertThat(json)
        .contains(
            "pandas.awesome.bears.example",
            "customresourcedefinitions.apiextensions.k8s.io",
            "apiservices.apiregistration.k8s.io")
        .doesNotContain("secrets");
    assertThat(protobuf).contains("secrets", "configmaps", "namespaces");
  }

  /// The in-tree migrator never finishes events. So they must not be left out of the answer.
  @Test
  void fact17StaleEventsAreFindings() {
    EncryptionConfig config =
        config(
            """
            {"apiVersion":"apiserver.config.k8s.io/v1","kind":"EncryptionConfiguration",
             "resources":[{"resources":["events"],"providers":[
              {"aesgcm":{"keys":[{"name":"k","secret":"AAECAwQFBgcICQoLDA0ODw=="}]}},
              {"identity":{}}]}]}
            """);
    var check = new ObjectCheck(config, Unwrapper.none(), Set.of());
    assertThat(audit(Optional.of(check), "/registry/events/a/b").count(Rule.STALE)).isOne();
  }

  @Test
  void fact18OldPlaintextIsStillInFreePages() throws Exception {
    var auditor = auditor(Optional.empty());
    try (EtcdFile file = EtcdFile.open(Vectors.unpack("public-residue.db", directory))) {
      file.mvcc()
          .forEachResidue((record, _) ->
              auditor.add(Location.FREE_PAGES, record.key(), record.value(), record.main()));
    }
    assertThat(auditor.report(SOURCE).count(Rule.PLAINTEXT_IN_FREE_PAGES))
        .isGreaterThanOrEqualTo(120);
  }

  @Test
  void fact20ConfigurationsAreReadStrictlyButSecretsMayHaveLineBreaks() {
    String good =
        """
        {"apiVersion":"apiserver.config.k8s.io/v1","kind":"EncryptionConfiguration",
         "resources":[{"resources":["secrets"],"providers":[
          {"aesgcm":{"keys":[{"name":"k","secret":"AAECAwQF\\r\\nBgcICQoLDA0ODw==\\n"}]}}]}]}
        """;
    assertThat(ConfigLoader.standard().load(good)).isInstanceOf(ConfigVerdict.Accepted.class);
    for (String wrong :
        Set.of(
            good.replace("\"name\":\"k\"", "\"name\":\"k\",\"name\":\"k\""),
            good.replace("\"name\":\"k\"", "\"name\":\"k\",\"nome\":\"k\""))) {
      assertThat(ConfigLoader.standard().load(wrong)).isInstanceOf(ConfigVerdict.Refused.class);
    }
  }

  private static ValueEnvelope parse(String value) {
    return ValueEnvelope.parse(ByteView.wrap(value.getBytes(UTF_8)));
  }

  private static JsonNode vector(String id) {
    return Objects.requireNonNull(VECTORS.get("public/" + id), id);
  }

  private static Reading.Opened assertOpens(String id) {
    JsonNode vector = vector(id);
    Reading reading = read(vector, new FakeKms(vector.path("fakeKms")));
    assertThat(reading).as(id + " " + vector.get("title")).isInstanceOf(Reading.Opened.class);
    return (Reading.Opened) reading;
  }

  private static void assertRefused(String id, ErrorClass errorClass) {
    JsonNode vector = vector(id);
    Reading reading = read(vector, new FakeKms(vector.path("fakeKms")));
    assertThat(reading)
        .as(id + " " + vector.get("title"))
        .isInstanceOfSatisfying(
            Reading.Refused.class,
            refused -> assertThat(refused.errorClass()).isEqualTo(errorClass));
  }

  private static Reading read(JsonNode vector, Unwrapper kms) {
    return new StorageReader(config(vector.get("config").toString()), kms)
        .read(
            GroupResource.parse(vector.get("resource").asText()),
            Vectors.utf8(vector.get("etcdKey")),
            Vectors.base64(vector.get("storedValue")));
  }

  /// The vector's KMS, with another answer of Status.
  private static Unwrapper kms(JsonNode vector, Optional<String> keyId) {
    var kms = new FakeKms(vector.path("fakeKms"));
    return new Unwrapper() {
      @Override
      public Unwrapped unwrap(WrappedDek wrapped) {
        return kms.unwrap(wrapped);
      }

      @Override
      public Optional<String> currentKeyId(String provider) {
        return keyId;
      }
    };
  }

  private static EncryptionConfig config(String text) {
    return ((ConfigVerdict.Accepted) ConfigLoader.lenient().load(text)).config();
  }

  private static Auditor auditor(Optional<ObjectCheck> check) {
    var everything =
        new Expectation(
            Set.of(GroupResource.anyInAnyGroup()), Set.of(), Optional.empty(), Set.of(), Set.of());
    return new Auditor(everything, check, Optional.empty(), 10);
  }

  private static AuditReport audit(Optional<ObjectCheck> check, String... keys) {
    Auditor auditor = auditor(check);
    for (String key : keys) {
      auditor.add(Location.LIVE, ByteView.utf8(key), ByteView.utf8("{}"), 1);
    }
    return auditor.report(SOURCE);
  }
}
