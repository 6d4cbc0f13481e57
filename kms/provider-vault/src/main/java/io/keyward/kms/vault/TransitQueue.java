package io.keyward.kms.vault;

import io.keyward.kms.remote.Deadline;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Lets a bounded number of requests to Vault go at one time. A call that finds room goes by itself
/// and at once. Those that must wait go together when there is room, in the order in which they
/// came.
///
/// A request with several calls is sent by a thread of its own, and each of them waits for it no
/// longer than its own deadline.
final class TransitQueue {
  /// Makes requests.
  interface Sender {
    /// Sends one and gives Vault's answer.
    ///
    /// @throws KmsException if there is no answer at all
    Answer send(String path, byte[] body, Deadline deadline);
  }

  /// A call that waits. Its result is empty if it must ask again by itself.
  private static final class Waiting {
    private final TransitItem item;
    private final Deadline deadline;
    private final CompletableFuture<Optional<Answer>> result = new CompletableFuture<>();

    private Waiting(TransitItem item, Deadline deadline) {
      this.item = item;
      this.deadline = deadline;
    }
  }

  private final Sender sender;
  private final Object lock = new Object();
  private final List<Waiting> queue = new ArrayList<>();

  /// How many requests may still begin. Only positive while nobody waits.
  private int room;

  TransitQueue(int width, Sender sender) {
    this.room = width;
    this.sender = sender;
  }

  /// Vault's answer, also where it is a refusal.
  ///
  /// @throws KmsException if there is no answer at all
  Answer call(String path, byte[] json, Deadline deadline) {
    var item = TransitItem.of(path, json);
    return answered(item, deadline)
        .or(() -> answered(item.byItself(), deadline))
        .orElseThrow(() -> new KmsException(Kind.INTERNAL, "Vault gave no answer to one request"));
  }

  private Optional<Answer> answered(TransitItem item, Deadline deadline) {
    var waiting = new Waiting(item, deadline);
    if (!takesRoom(waiting)) {
      return await(waiting);
    }
    try {
      return Optional.of(sender.send(item.path(), item.json(), deadline));
    } finally {
      passOn();
    }
  }

  /// Else it waits in the queue.
  private boolean takesRoom(Waiting waiting) {
    synchronized (lock) {
      if (room == 0) {
        queue.add(waiting);
        return false;
      }
      room--;
      return true;
    }
  }

  /// How many calls wait for room now.
  int waiting() {
    synchronized (lock) {
      return queue.size();
    }
  }

  /// How many requests could begin now.
  int room() {
    synchronized (lock) {
      return room;
    }
  }

  /// Gives the room of a request that has ended to those that wait.
  private void passOn() {
    synchronized (lock) {
      if (queue.isEmpty()) {
        room++;
        return;
      }
    }
    Thread.ofVirtual().name("vault-batch").start(this::serve);
  }

  private void serve() {
    boolean orderly = false;
    try {
      for (List<Waiting> next = next(); !next.isEmpty(); next = next()) {
        serve(next);
      }
      orderly = true;
    } finally {
      if (!orderly) {
        passOn(); // a defect must not cost the room for ever
      }
    }
  }

  /// Those that go next, with the room of the caller; where there are none, that room is free.
  private List<Waiting> next() {
    synchronized (lock) {
      queue.removeIf(waiting -> waiting.result.isDone()); // their time is up
      List<Integer> places =
          TransitBatch.next(queue.stream().map(waiting -> waiting.item).toList());
      List<Waiting> next = places.stream().map(queue::get).toList();
      places.reversed().forEach(place -> queue.remove(place.intValue()));
      if (next.isEmpty()) {
        room++;
      }
      return next;
    }
  }

  private void serve(List<Waiting> together) {
    Deadline latest =
        together.stream().map(waiting -> waiting.deadline).reduce(Deadline::later).orElseThrow();
    byte[] body = TransitBatch.body(together.stream().map(waiting -> waiting.item).toList());
    try {
      Answer whole = sender.send(together.getFirst().item.path(), body, latest);
      List<Optional<Answer>> answers = TransitBatch.answers(whole, together.size());
      for (int i = 0; i < together.size(); i++) {
        together.get(i).result.complete(answers.get(i));
      }
    } catch (KmsException e) {
      together.forEach(waiting -> waiting.result.completeExceptionally(e));
    } finally {
      Arrays.fill(body, (byte) 0);
      if (together.stream().anyMatch(waiting -> !waiting.result.isDone())) {
        // Only left open by a defect; nobody may wait for it for ever.
        var defect = new KmsException(Kind.INTERNAL, "the request to Vault failed");
        together.forEach(waiting -> waiting.result.completeExceptionally(defect));
      }
    }
  }

  private static Optional<Answer> await(Waiting waiting) {
    try {
      return waiting.deadline.orCancel(waiting.result);
    } catch (CancellationException e) {
      throw new KmsException(Kind.TIMEOUT, "Vault did not answer in time", e);
    } catch (InterruptedException e) {
      waiting.result.cancel(true);
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "the call was given up", e);
    } catch (ExecutionException e) {
      throw again(e);
    }
  }

  /// Each caller throws its own, with its own stack.
  private static KmsException again(ExecutionException e) {
    return e.getCause() instanceof KmsException failure
        ? new KmsException(failure.kind(), String.valueOf(failure.getMessage()), failure.details())
        : new KmsException(Kind.INTERNAL, "the request to Vault failed", e);
  }
}
