package io.keyward.kms.plugin.health;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// Asks a KMS every few minutes what it knows about its key, and at once when the key's health
/// changes: then the answer is the reason. Never on behalf of a request.
public final class ReportPoller implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ReportPoller.class.getName());

  /// A report may take several calls, and nobody waits for it.
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final KmsProvider provider;
  private final KeyWatch watch;
  private final Duration interval;
  private final Duration glance;
  private final Thread thread;

  /// Asks `provider` once [#start] is called.
  ///
  /// @param glance how often the key's health is looked at between two reports
  public ReportPoller(
      String key, KmsProvider provider, KeyWatch watch, Duration interval, Duration glance) {
    this.provider = provider;
    this.watch = watch;
    this.interval = interval;
    this.glance = glance;
    this.thread = Thread.ofVirtual().name("report-" + key).unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        boolean good = watch.now().isGood();
        askBounded();
        pause(good);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pause(boolean good) throws InterruptedException {
    long end = System.nanoTime() + interval.toNanos();
    long left = interval.toNanos();
    while (left > 0) {
      Thread.sleep(Duration.ofNanos(Math.min(left, glance.toNanos())));
      left = watch.now().isGood() == good ? end - System.nanoTime() : 0;
    }
  }

  /// A provider keeps to its time by itself. One that does not is left behind.
  private void askBounded() throws InterruptedException {
    Thread asking = Thread.ofVirtual().name("ask").start(this::ask);
    try {
      if (!asking.join(TIMEOUT.plusSeconds(1))) {
        watch.unreported(new KmsException(Kind.TIMEOUT, "it did not answer in time"));
      }
    } finally {
      asking.interrupt();
    }
  }

  private void ask() {
    try {
      watch.reported(provider.report(TIMEOUT));
    } catch (KmsException e) {
      watch.unreported(e);
    } catch (RuntimeException e) {
      // The edge of the program: a defect of a provider must not end the reports.
      LOG.log(Level.ERROR, "a report failed by a defect", e);
      watch.unreported(new KmsException(Kind.INTERNAL, "a defect in the provider; see the log"));
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
