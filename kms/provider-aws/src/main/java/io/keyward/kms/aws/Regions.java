package io.keyward.kms.aws;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/// The home region, which wraps, and other regions with replicas of the key, which help to unwrap
/// while the home region does not answer.
final class Regions implements AutoCloseable {
  private static final Duration AVOID = Duration.ofSeconds(30);

  private final List<AwsRegion> all;
  private final Runnable closing;
  private volatile long avoidHomeUntil = System.nanoTime();

  /// @param all the home region first
  /// @param closing what else ends with the regions
  Regions(List<AwsRegion> all, Runnable closing) {
    this.all = List.copyOf(all);
    this.closing = closing;
  }

  AwsRegion home() {
    return all.getFirst();
  }

  /// The answer of the first region that gives one. Each gets its share of the time.
  <T> T first(Duration timeout, BiFunction<AwsRegion, Duration, T> call) {
    long end = System.nanoTime() + timeout.toNanos();
    List<AwsRegion> order = order();
    for (int i = 0; ; i++) {
      AwsRegion region = order.get(i);
      long share = (end - System.nanoTime()) / (order.size() - i);
      try {
        return call.apply(region, Duration.ofNanos(Math.max(1, share)));
      } catch (KmsException e) {
        if (!mayWorkElsewhere(e.kind()) || i == order.size() - 1) {
          throw e;
        }
        if (region == home()) {
          avoidHomeUntil = System.nanoTime() + AVOID.toNanos();
        }
      }
    }
  }

  private List<AwsRegion> order() {
    if (all.size() == 1 || System.nanoTime() - avoidHomeUntil >= 0) {
      return all;
    }
    var order = new ArrayList<>(all.subList(1, all.size()));
    order.add(home());
    return order;
  }

  private static boolean mayWorkElsewhere(Kind kind) {
    return kind == Kind.UNAVAILABLE || kind == Kind.TIMEOUT || kind == Kind.THROTTLED;
  }

  @Override
  public void close() {
    all.forEach(AwsRegion::close);
    closing.run();
  }
}
