package io.keyward.kms.plugin.call;

import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.Secret;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Remembers secrets for a while: never more than `entries`, never longer than `ttl`. Its own copy
/// of a secret is overwritten with zeros when it is dropped.
///
/// The time counts from when a secret came in, not from its last use: otherwise one that is asked
/// for often would outlive the KEK's being taken away for ever. Thread-safe.
public final class SecretMemory {
  private static final class Entry {
    private final byte[] bytes;
    private final long until;

    Entry(byte[] bytes, long until) {
      this.bytes = bytes;
      this.until = until;
    }
  }

  private final int entries;
  private final long ttl;
  private final LongSupplier nanos;

  /// In the order in which they came, which is the order in which they end.
  private final Map<Bytes, Entry> kept = new LinkedHashMap<>();

  public SecretMemory(int entries, Duration ttl, LongSupplier nanos) {
    this.entries = entries;
    this.ttl = ttl.toNanos();
    this.nanos = nanos;
  }

  public synchronized Optional<Secret> find(Bytes name) {
    sweep();
    return Optional.ofNullable(kept.get(name)).map(entry -> new Secret(entry.bytes));
  }

  /// Remembers `secret`, and drops the oldest one if there is no room.
  public synchronized void keep(Bytes name, Secret secret) {
    sweep();
    if (kept.containsKey(name)) {
      return;
    }
    if (kept.size() >= entries) {
      dropFirst();
    }
    kept.put(name, new Entry(secret.reveal(), nanos.getAsLong() + ttl));
  }

  /// Drops what is too old. Also called by a timer, so that an old secret does not lie here only
  /// because nobody asks.
  public synchronized void sweep() {
    long now = nanos.getAsLong();
    while (!kept.isEmpty() && kept.values().iterator().next().until - now <= 0) {
      dropFirst();
    }
  }

  public synchronized void clear() {
    while (!kept.isEmpty()) {
      dropFirst();
    }
  }

  public synchronized int size() {
    return kept.size();
  }

  private void dropFirst() {
    Iterator<Entry> first = kept.values().iterator();
    Arrays.fill(first.next().bytes, (byte) 0);
    first.remove();
  }
}
