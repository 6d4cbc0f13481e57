package io.keyward.http;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// A bounded number of connections to one server, used again and again. A call blocks its thread,
/// which is meant to be a virtual one.
///
/// A call that is overdue ends because its connection is closed: that ends every wait in it.
public final class KeptConnections implements AutoCloseable {
  /// As many calls as one server is good for at a time. More of them wait here, each for its own
  /// limit.
  private static final int MAX = 32;

  private final Endpoint endpoint;
  private final Semaphore room = new Semaphore(MAX, true);
  private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
  private final Set<Connection> busy = ConcurrentHashMap.newKeySet();
  private final LongAdder opened = new LongAdder();
  private volatile boolean retired;

  /// Connects when the first call needs it.
  public KeptConnections(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  /// Sends a whole request and waits for its answer.
  ///
  /// A request is sent again, once, if a kept connection ends before any byte of an answer: servers
  /// close idle connections as they like. So it must be one that may be sent twice.
  ///
  /// @throws SocketTimeoutException if the limit passed
  public HttpAnswer exchange(byte[] request, TimeLimit limit)
      throws IOException, InterruptedException {
    if (!room.tryAcquire(limit.left().toNanos(), TimeUnit.NANOSECONDS)) {
      throw new SocketTimeoutException("no connection was free in time");
    }
    try {
      Optional<Connection> kept = kept();
      if (kept.isPresent()) {
        Connection connection = kept.get();
        connection.use(limit);
        try {
          return exchange(connection, request, limit);
        } catch (IOException e) {
          if (connection.wasAnswered() || limit.passed()) {
            throw e;
          }
        }
      }
      opened.increment();
      return exchange(new Connection(endpoint, limit), request, limit);
    } catch (IOException e) {
      if (limit.passed()) {
        var late = new SocketTimeoutException("no answer in time");
        late.initCause(e);
        throw late;
      }
      throw e;
    } finally {
      room.release();
    }
  }

  private HttpAnswer exchange(Connection connection, byte[] request, TimeLimit limit)
      throws IOException, InterruptedException {
    boolean reusable = false;
    busy.add(connection);
    try (var _ = OverdueWatch.over(limit, connection::close)) {
      if (retired) {
        throw new IOException("retired");
      }
      HttpAnswer answer = connection.exchange(request);
      reusable = answer.reusable();
      return answer;
    } finally {
      busy.remove(connection);
      if (reusable) {
        idle.push(connection);
      } else {
        connection.close();
      }
      if (!reusable || retired) {
        closeIdle(); // what happened to this one has most likely happened to the others
      }
    }
  }

  /// The one that was used last: the others may then become old enough to be closed.
  private Optional<Connection> kept() {
    for (Connection next = idle.poll(); next != null; next = idle.poll()) {
      if (next.isFresh()) {
        return Optional.of(next);
      }
      next.close();
    }
    return Optional.empty();
  }

  /// Closes the connections that nobody has used for a while.
  public void closeOld() {
    for (Connection next = idle.peekLast();
        next != null && !next.isFresh();
        next = idle.peekLast()) {
      if (idle.removeLastOccurrence(next)) {
        next.close();
      }
    }
  }

  private void closeIdle() {
    for (Connection next = idle.poll(); next != null; next = idle.poll()) {
      next.close();
    }
  }

  /// How many connections were opened so far; a server that closes them shows here.
  public long opened() {
    return opened.sum();
  }

  public boolean isRetired() {
    return retired;
  }

  /// Lets what is under way end, and begins and keeps nothing more.
  public void retire() {
    retired = true;
    closeIdle();
  }

  /// Ends what is under way too.
  @Override
  public void close() {
    retire();
    busy.forEach(Connection::close);
  }
}
