package io.keyward.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

public final class StatusChangesTest {
  private long seconds = 5;
  private boolean watched;
  private final StatusChanges news = new StatusChanges(() -> TimeUnit.SECONDS.toNanos(seconds));

  @Test
  void whileNobodyWatchesEveryStepReads() {
    assertThat(news.isDue()).isTrue();
    assertThat(news.isDue()).isTrue();
  }

  @Test
  void whileSomebodyWatchesOnlyAChangeIsRead() {
    watch();
    assertThat(news.isDue()).as("the first time").isTrue();
    assertThat(news.isDue()).isFalse();
    news.tell();
    assertThat(news.isDue()).isTrue();
    assertThat(news.isDue()).isFalse();
  }

  @Test
  void aWatchIsNotTrustedForLong() {
    watch();
    assertThat(news.isDue()).isTrue();
    seconds += 9;
    assertThat(news.isDue()).isFalse();
    seconds += 1;
    assertThat(news.isDue()).isTrue();
    seconds += 9;
    assertThat(news.isDue()).as("counted from the last reading").isFalse();
  }

  @Test
  void aWatchThatEndedIsNotTrusted() {
    watch();
    assertThat(news.isDue()).isTrue();
    watched = false;
    assertThat(news.isDue()).isTrue();
    watched = true;
    assertThat(news.isDue()).isFalse();
  }

  @Test
  void whatWasNotActedOnIsNewsAgain() throws InterruptedException {
    watch();
    assertThatThrownBy(() ->
            news.step(_ -> {
              throw new IllegalStateException();
            }))
        .isInstanceOf(IllegalStateException.class);
    news.step(anew -> assertThat(anew).isTrue());
    news.step(anew -> assertThat(anew).isFalse());
  }

  private void watch() {
    watched = true;
    news.watchedWhile(() -> watched);
  }
}
