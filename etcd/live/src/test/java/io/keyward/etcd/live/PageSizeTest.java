package io.keyward.etcd.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PageSizeTest {
  @Test
  void followsTheSizeOfTheValues() {
    var size = new PageSize();
    assertThat(size.keys()).isEqualTo(100);
    size.saw(100, 100 * 2_000);
    assertThat(size.keys()).as("grows in steps").isEqualTo(800);
    size.saw(800, 800 * 2_000);
    assertThat(size.keys()).as("8 MiB of them").isEqualTo(4194);
    size.saw(4194, 4194L * 1_000_000);
    assertThat(size.keys()).isEqualTo(8);
    size.saw(1, 100_000_000);
    assertThat(size.keys()).as("never none").isEqualTo(1);
  }

  @Test
  void emptyValuesAreStillBoundedByCount() {
    var size = new PageSize();
    for (int i = 0; i < 10; i++) {
      size.saw(size.keys(), 0);
    }
    assertThat(size.keys()).isEqualTo(10_000);
  }

  @Test
  void shrinksDownToOneKey() {
    var size = new PageSize();
    assertThat(size.shrink()).isTrue();
    assertThat(size.keys()).isEqualTo(12);
    assertThat(size.shrink()).isTrue();
    assertThat(size.keys()).isEqualTo(1);
    assertThat(size.shrink()).isFalse();
  }
}
