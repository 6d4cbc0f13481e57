package io.keyward.kms.remote.http;

import io.keyward.kms.remote.Deadline;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A bounded number of connections to one server, used again and again. A call blocks its thread,
/// which is meant to be a virtual one.
///
/// A call that is overdue ends because its connection is closed. One thread looks after all of
/// them: a timer for each read would cost more than the read.
public final class KeptConnections implements AutoCloseable {
  /// As many calls as one server is good for at a time. More of them wait here, each for its own
  /// deadline.
  private static final int MAX = 32;

  private static final Duration LOOK = Duration.ofMillis(10);

  private final Endpoint endpoint;
  private final Semaphore room = new Semaphore(MAX, true);
  private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
  private final Set<Connection> busy = ConcurrentHashMap.newKeySet();
  private final Thread watch;
  private volatile boolean watchSleeps;
  private volatile boolean retired;

  /// Connects when the first call needs it.
  public KeptConnections(Endpoint endpoint) {
    this.endpoint = endpoint;
    watch = Thread.ofVirtual().name("kms-connections").start(this::endOverdue);
  }

  /// Sends a whole request and waits for its answer.
  ///
  /// A request is sent again, once, if a kept connection ends before any byte of an answer: servers
  /// close idle connections as they like. So it must be one that may be sent twice.
  ///
  /// @throws SocketTimeoutException if the deadline passed
  public HttpAnswer exchange(byte[] request, Deadline deadline)
      throws IOException, InterruptedException {
    if (!room.tryAcquire(deadline.left().toNanos(), TimeUnit.NANOSECONDS)) {
      throw new SocketTimeoutException("no connection was free in time");
    }
    try {
      Optional<Connection> kept = kept();
      if (kept.isPresent()) {
        Connection connection = kept.get();
        connection.use(deadline);
        try {
          return exchange(connection, request);
        } catch (IOException e) {
          if (connection.wasAnswered() || deadline.passed()) {
            throw e;
          }
        }
      }
      return exchange(new Connection(endpoint, deadline), request);
    } catch (IOException e) {
      if (deadline.passed()) {
        var late = new SocketTimeoutException("no answer in time");
        late.initCause(e);
        throw late;
      }
      throw e;
    } finally {
      room.release();
    }
  }

  private HttpAnswer exchange(Connection connection, byte[] request)
      throws IOException, InterruptedException {
    boolean reusable = false;
    busy.add(connection);
    if (watchSleeps) {
      LockSupport.unpark(watch);
    }
    try {
      if (retired) {
        throw new IOException("retired"); // nobody watches any more
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

  private void endOverdue() {
    while (!retired || !busy.isEmpty()) {
      if (busy.isEmpty()) {
        watchSleeps = true;
        if (busy.isEmpty() && !retired) {
          LockSupport.park(this);
        }
        watchSleeps = false;
      } else {
        LockSupport.parkNanos(this, LOOK.toNanos());
        for (Connection each : busy) {
          if (each.isOverdue()) {
            each.close();
          }
        }
      }
    }
  }

  public boolean isRetired() {
    return retired;
  }

  /// Lets what is under way end, and begins and keeps nothing more.
  public void retire() {
    retired = true;
    closeIdle();
    LockSupport.unpark(watch);
  }

  /// Ends what is under way too.
  @Override
  public void close() {
    retire();
    busy.forEach(Connection::close);
  }
}
