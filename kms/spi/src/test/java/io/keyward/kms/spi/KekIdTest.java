package io.keyward.kms.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class KekIdTest {
  @Test
  void staysTheSameForever() {
    // Pinned: an id that changed with a release would make every API server re-encrypt.
    assertThat(KekId.of("local", "payments", "1").value())
        .isEqualTo("kw1-ZXKyekbImjk4k1b1AZQijXhk1Fbp2ZDgLTAzrUfHK0Y");
  }

  @Test
  void differsWhenAnyPartDiffers() {
    List<KekId> ids =
        Stream.of(
                KekId.of("local", "a", "1"),
                KekId.of("vault", "a", "1"),
                KekId.of("local", "b", "1"),
                KekId.of("local", "a", "2"),
                KekId.of("local", "a1", ""),
                KekId.of("loca", "la", "1"))
            .toList();
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void tellsNothingAboutItsParts() {
    assertThat(KekId.of("local", "payments", "17").value()).doesNotContain("local", "payments");
  }

  @Test
  void isBoundedAsTheProtocolWants() {
    assertThat(new KekId("x".repeat(1023)).value()).hasSize(1023);
    assertThatIllegalArgumentException().isThrownBy(() -> new KekId("x".repeat(1024)));
    assertThatIllegalArgumentException().isThrownBy(() -> new KekId("ü".repeat(512)));
    assertThatIllegalArgumentException().isThrownBy(() -> new KekId(""));
  }
}
