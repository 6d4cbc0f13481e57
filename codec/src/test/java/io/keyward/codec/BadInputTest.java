package io.keyward.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.Problem;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyStack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Damaged input, thousands of ways: never an exception, always a value or words, and what is read
/// is written and read again as the same.
final class BadInputTest {
  private static final int ROUNDS = 4_000;
  private static final DataValue ZEROES = DataValue.copyOf(new byte[16]);
  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          "\"",
          ":",
          ",",
          "null",
          "true",
          "-1",
          "1e999",
          "999999999999999999999",
          "\\u0000",
          "&a",
          "*a",
          "!!x",
          "---",
          "\n",
          "\t",
          "kms",
          "identity",
          "_",
          "-",
          "ü",
          "\ud800");

  @Test
  void keySecrets() {
    var random = new SplittableRandom(1);
    SecretObject good = KeySecretCodec.encode("c", KeySecretCodecTest.kmsKey(7));
    int bad = 0;
    for (int i = 0; i < ROUNDS; i++) {
      switch (KeySecretCodec.decode(damaged(good, random))) {
        case Decoded.Good<Key>(var key) ->
            assertThat(KeySecretCodec.decode(KeySecretCodec.encode("c", key)))
                .isEqualTo(Decoded.good(key));
        case Decoded.Bad<Key>(var problem) -> {
          bad++;
          speaks(problem);
        }
      }
    }
    assertThat(bad).isGreaterThan(ROUNDS / 10);
  }

  @Test
  void configurationSecrets() {
    var random = new SplittableRandom(2);
    var stacks = new TreeMap<Resource, KeyStack>();
    for (String name : List.of("secrets", "routes.route.openshift.io")) {
      Key key = KeySecretCodecTest.kmsKey(7);
      var bare = Key.unbacked(key.serial(), key.mode(), key.material(), key.kms());
      stacks.put(
          Resource.parse(name),
          new KeyStack(
              Optional.of(key.serial()),
              List.of(new KeyStack.Slot(bare, "7_" + Resource.parse(name).name()))));
    }
    SecretObject good = ConfigSecretCodec.encode("c", new EncryptionLayout(stacks));
    int bad = 0;
    for (int i = 0; i < ROUNDS; i++) {
      switch (ConfigSecretCodec.decode(damaged(good, random))) {
        case Decoded.Good<Optional<EncryptionLayout>>(var layout) ->
            layout.ifPresent(read ->
                assertThat(ConfigSecretCodec.decode(ConfigSecretCodec.encode("c", read)))
                    .isEqualTo(Decoded.good(Optional.of(read))));
        case Decoded.Bad<Optional<EncryptionLayout>>(var problem) -> {
          bad++;
          speaks(problem);
        }
      }
    }
    assertThat(bad).isGreaterThan(ROUNDS / 10);
  }

  @Test
  void statusSpecAndOverrides() {
    var random = new SplittableRandom(3);
    String status =
        "{\"healthReports\":[{\"nodeName\":\"a\",\"keyID\":\"1\",\"status\":\"Healthy\","
            + "\"lastCheckedTime\":\"2026-01-15T00:00:00Z\",\"remoteKeyID\":\"k\"}],\"preflight\":"
            + "{\"observedConfigHash\":\"AQAAAA==\",\"result\":{\"status\":\"Failed\",\"configHash\":"
            + "\"AQAAAA==\",\"remoteKeyID\":\"k\",\"attempt\":3}}}";
    String spec = "{\"type\":\"KMS\",\"kms\":" + KeySecretCodecTest.KMS + "}";
    for (int i = 0; i < ROUNDS; i++) {
      EncryptionStatusCodec.decode(damaged(status, random))
          .problems()
          .forEach(BadInputTest::speaks);
      if (EncryptionSpecCodec.decode(damaged(spec, random))
          instanceof Decoded.Bad<EncryptionSpecCodec.Asked>(var problem)) {
        speaks(problem);
      }
      if (EncryptionSpecCodec.reason(damaged("{\"encryption\":{\"reason\":\"x\"}}", random), "")
          instanceof Decoded.Bad<String>(var problem)) {
        speaks(problem);
      }
    }
  }

  @Test
  void textThatIsNestedTooDeep() {
    for (String open : List.of("[", "{\"a\":", "- ", "{a: ")) {
      String deep = open.repeat(200_000);
      assertThat(Json.read(deep)).isEmpty();
    }
    assertThat(Json.read("a: &a [*a]")).isEmpty();
    assertThat(Json.read("{} {}")).isEmpty();
  }

  private static void speaks(Problem problem) {
    assertThat(problem.where()).isNotBlank();
    assertThat(problem.what()).isNotBlank().doesNotContain("secret-456");
  }

  /// One to three mistakes in the name, the annotations or the data.
  private static SecretObject damaged(SecretObject good, SplittableRandom random) {
    var annotations = new TreeMap<>(good.annotations());
    var data = new TreeMap<>(good.data());
    String name = good.name();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int pick = random.nextInt(10);
      if (pick == 0) {
        name = damaged(name, random);
      } else if (pick < 4 && !annotations.isEmpty()) {
        String key = any(annotations.keySet(), random);
        annotations.put(key, damaged(annotations.getOrDefault(key, ""), random));
      } else if (pick < 6) {
        String key = any(data.keySet(), random);
        DataValue value = data.remove(key);
        data.put(damaged(key, random), value == null ? ZEROES : value);
      } else {
        String key = any(data.keySet(), random);
        byte[] bytes = data.getOrDefault(key, ZEROES).reveal();
        data.put(key, DataValue.copyOf(damaged(bytes, random)));
      }
    }
    return new SecretObject(good.namespace(), name, good.labels(), annotations, List.of(), data);
  }

  private static String any(Collection<String> keys, SplittableRandom random) {
    return new ArrayList<>(keys).get(random.nextInt(keys.size()));
  }

  private static String damaged(String text, SplittableRandom random) {
    return new String(damaged(text.getBytes(UTF_8), random), UTF_8);
  }

  private static byte[] damaged(byte[] bytes, SplittableRandom random) {
    if (bytes.length == 0) {
      return PIECES.get(random.nextInt(PIECES.size())).getBytes(UTF_8);
    }
    int at = random.nextInt(bytes.length);
    return switch (random.nextInt(5)) {
      case 0 -> Arrays.copyOf(bytes, at);
      case 1 -> {
        byte[] flipped = bytes.clone();
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        yield flipped;
      }
      case 2 -> joined(bytes, at, new byte[0], Math.min(bytes.length, at + 1 + random.nextInt(20)));
      case 3 -> joined(bytes, at, PIECES.get(random.nextInt(PIECES.size())).getBytes(UTF_8), at);
      default -> joined(bytes, at, Arrays.copyOf(bytes, at), at);
    };
  }

  private static byte[] joined(byte[] bytes, int upTo, byte[] middle, int from) {
    byte[] all = new byte[upTo + middle.length + bytes.length - from];
    System.arraycopy(bytes, 0, all, 0, upTo);
    System.arraycopy(middle, 0, all, upTo, middle.length);
    System.arraycopy(bytes, from, all, upTo + middle.length, bytes.length - from);
    return all;
  }
}
