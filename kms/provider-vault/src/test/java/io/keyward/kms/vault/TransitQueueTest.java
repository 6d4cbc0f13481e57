package io.keyward.kms.vault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.remote.Deadline;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class TransitQueueTest {
  private static final Answer GOOD = answer(200, "{\"data\":{}}");
  private static final Answer TWO_GOOD =
      answer(200, "{\"data\":{\"batch_results\":[{\"n\":\"1\"},{\"n\":\"2\"}]}}");

  /// A request that was sent. The test answers it.
  private record Sent(String body, Deadline deadline, CompletableFuture<Answer> answer) {}

  private final List<Sent> sent = new CopyOnWriteArrayList<>();
  private final TransitQueue queue = new TransitQueue(1, this::send);

  private Answer send(String path, byte[] body, Deadline deadline) {
    var request = new Sent(new String(body, UTF_8), deadline, new CompletableFuture<>());
    sent.add(request);
    try {
      return request.answer().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new AssertionError(e);
    }
  }

  @Test
  void whoFindsRoomGoesAtOnceAndTheOthersTogether() throws Exception {
    Future<Answer> first = call("{1}");
    sent(1).answer().complete(GOOD);
    assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(GOOD);

    var _ = call("{2}");
    Sent busy = sent(2);
    Future<Answer> third = waiting("{3}");
    Future<Answer> fourth = waiting("{4}");
    busy.answer().complete(GOOD);
    assertThat(sent(3).body()).isEqualTo("{\"batch_input\":[{3},{4}]}");
    sent(3).answer().complete(TWO_GOOD);

    assertThat(third.get(10, TimeUnit.SECONDS).data().text("n")).isEqualTo("1");
    assertThat(fourth.get(10, TimeUnit.SECONDS).data().text("n")).isEqualTo("2");
    assertThatThereIsRoom();
  }

  @Test
  void oneThatABatchDoesNotAnswerAsksByItself() throws Exception {
    var _ = call("{1}");
    Future<Answer> good = waiting("{2}");
    Future<Answer> bad = waiting("{3}");
    sent(1).answer().complete(GOOD);
    sent(2)
        .answer()
        .complete(answer(400, "{\"data\":{\"batch_results\":[{\"n\":\"2\"},{\"error\":\"e\"}]}}"));

    assertThat(good.get(10, TimeUnit.SECONDS).data().text("n")).isEqualTo("2");
    assertThat(sent(3).body()).isEqualTo("{3}");
    sent(3).answer().complete(answer(400, "{\"errors\":[\"its own\"]}"));
    assertThat(bad.get(10, TimeUnit.SECONDS).says("its own")).isTrue();
    assertThatThereIsRoom();
  }

  @Test
  void aFailureOfTheWholeIsAFailureOfEach() throws Exception {
    var _ = call("{1}");
    Future<Answer> second = waiting("{2}");
    Future<Answer> third = waiting("{3}");
    sent(1).answer().complete(GOOD);
    sent(2).answer().completeExceptionally(new KmsException(Kind.UNAVAILABLE, "broken"));

    assertThat(failure(second).kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(failure(third)).hasMessage("broken");
    assertThatThereIsRoom();
  }

  @Test
  void eachWaitsForItsOwnDeadline() throws Exception {
    var _ = call("{1}");
    Future<Answer> hasty = waiting("{2}", Duration.ofSeconds(2));
    Future<Answer> patient = waiting("{3}");
    sent(1).answer().complete(GOOD);
    Sent batch = sent(2);
    assertThat(batch.deadline().left()).isGreaterThan(Duration.ofSeconds(5));

    assertThat(failure(hasty).kind()).isEqualTo(Kind.TIMEOUT);
    batch.answer().complete(TWO_GOOD);
    assertThat(patient.get(10, TimeUnit.SECONDS).data().text("n")).isEqualTo("2");
    assertThatThereIsRoom();
  }

  @Test
  void whoseTimeIsUpIsNotSentAnyMore() throws Exception {
    var _ = call("{1}");
    Future<Answer> hasty = waiting("{2}", Duration.ofMillis(50));
    assertThat(failure(hasty).kind()).isEqualTo(Kind.TIMEOUT);
    var _ = waiting("{3}");
    sent(1).answer().complete(GOOD);
    assertThat(sent(2).body()).isEqualTo("{3}");
    sent(2).answer().complete(GOOD);
    assertThatThereIsRoom();
  }

  @Test
  void aDefectCostsNeitherTheRoomNorACallThatWaits() throws Exception {
    var _ = call("{1}");
    Future<Answer> second = waiting("{2}");
    Future<Answer> third = waiting("{3}");
    sent(1).answer().complete(GOOD);
    sent(2).answer().completeExceptionally(new IllegalStateException("a defect"));
    assertThat(failure(second).kind()).isEqualTo(Kind.INTERNAL);
    assertThat(failure(third).kind()).isEqualTo(Kind.INTERNAL);
    assertThatThereIsRoom();
  }

  private void assertThatThereIsRoom() throws Exception {
    // The room is given back a moment after the answer. A defect ends its thread, which is no
    // failure
    // of this one.
    await().dontCatchUncaughtExceptions().until(() -> queue.room() == 1);
    int before = sent.size();
    Future<Answer> next = call("{next}");
    assertThat(sent(before + 1).body()).isEqualTo("{next}");
    sent(before + 1).answer().complete(GOOD);
    assertThat(next.get(10, TimeUnit.SECONDS)).isEqualTo(GOOD);
  }

  private Future<Answer> call(String json) {
    return call(json, Duration.ofSeconds(30));
  }

  private Future<Answer> call(String json, Duration timeout) {
    int before = sent.size();
    Future<Answer> task = start(json, timeout);
    sent(before + 1);
    return task;
  }

  private Future<Answer> waiting(String json) {
    return waiting(json, Duration.ofSeconds(30));
  }

  private Future<Answer> waiting(String json, Duration timeout) {
    int before = queue.waiting();
    Future<Answer> task = start(json, timeout);
    await().until(() -> queue.waiting() == before + 1);
    return task;
  }

  private Future<Answer> start(String json, Duration timeout) {
    var task =
        new FutureTask<>(() -> queue.call("p", json.getBytes(UTF_8), Deadline.after(timeout)));
    Thread.ofVirtual().start(task);
    return task;
  }

  /// The one with this number, counted from one.
  private Sent sent(int number) {
    await().dontCatchUncaughtExceptions().until(() -> sent.size() >= number);
    return sent.get(number - 1);
  }

  private static KmsException failure(Future<Answer> task) {
    var failure =
        catchThrowableOfType(ExecutionException.class, () -> task.get(10, TimeUnit.SECONDS));
    if (failure.getCause() instanceof KmsException expected) {
      return expected;
    }
    throw new AssertionError(failure);
  }

  private static Answer answer(int status, String body) {
    return new Answer(status, VaultJson.parse(body.getBytes(UTF_8)).orElseThrow());
  }
}
