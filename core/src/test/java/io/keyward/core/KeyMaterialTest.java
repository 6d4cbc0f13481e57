package io.keyward.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class KeyMaterialTest {
  private static final byte[] TEXT = "s3cr3t-s3cr3t-16".getBytes(StandardCharsets.UTF_8);

  @Test
  void noTextOfAKeyShowsItsBytes() {
    var key =
        Key.unbacked(new KeySerial(1), Mode.AESCBC, KeyMaterial.copyOf(TEXT), Optional.empty());
    assertThat(key.toString()).contains("KeyMaterial[16 bytes]").doesNotContain("s3cr3t");
    assertThat(DataValue.copyOf(TEXT).toString()).doesNotContain("s3cr3t");
  }

  @Test
  void theHashTellsNothingButTheLength() {
    assertThat(KeyMaterial.copyOf(TEXT)).hasSameHashCodeAs(KeyMaterial.copyOf(new byte[16]));
    assertThat(DataValue.copyOf(TEXT)).hasSameHashCodeAs(DataValue.copyOf(new byte[16]));
  }

  @Test
  void equalBytesAreEqualAndOthersAreNot() {
    byte[] other = TEXT.clone();
    other[15] ^= 1;
    assertThat(KeyMaterial.copyOf(TEXT)).isEqualTo(KeyMaterial.copyOf(TEXT.clone()));
    assertThat(KeyMaterial.copyOf(TEXT)).isNotEqualTo(KeyMaterial.copyOf(other));
    assertThat(DataValue.copyOf(TEXT)).isEqualTo(DataValue.copyOf(TEXT.clone()));
    assertThat(DataValue.copyOf(TEXT)).isNotEqualTo(DataValue.copyOf(other));
  }

  @Test
  void nobodyCanChangeTheBytesFromOutside() {
    byte[] given = TEXT.clone();
    KeyMaterial material = KeyMaterial.copyOf(given);
    given[0] ^= 1;
    material.revealKey()[1] ^= 1;
    assertThat(material.revealKey()).isEqualTo(TEXT);
  }
}
