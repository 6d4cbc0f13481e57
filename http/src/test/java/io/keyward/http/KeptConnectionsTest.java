package io.keyward.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Over real sockets of this machine, to a server that does as each test says.
final class KeptConnectionsTest {
  private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII);
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(US_ASCII);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /// What the server does with one request.
  interface Behaviour {
    void serve(Socket socket) throws IOException, InterruptedException;
  }

  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private final ConcurrentLinkedQueue<Socket> open = new ConcurrentLinkedQueue<>();
  private volatile Behaviour behaviour = socket -> socket.getOutputStream().write(ANSWER);
  private ServerSocket server;
  private Thread acceptor;
  private KeptConnections connections;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    acceptor = Thread.ofVirtual().start(this::accept);
    connections =
        new KeptConnections(
            new Endpoint(
                "127.0.0.1", server.getLocalPort(), Optional.empty(), Optional.empty(), 1 << 20));
  }

  @AfterEach
  void stop() throws IOException {
    connections.close();
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        accepted.incrementAndGet();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException _) {
      // the test is over
    }
  }

  private void serve(Socket socket) {
    try {
      InputStream in = socket.getInputStream();
      while (in.readNBytes(REQUEST.length).length == REQUEST.length) {
        requests.incrementAndGet();
        behaviour.serve(socket);
      }
    } catch (IOException | InterruptedException _) {
      // closed by either side
    }
  }

  private static Behaviour answerAfter(CountDownLatch go) {
    return socket -> {
      go.await();
      socket.getOutputStream().write(ANSWER);
    };
  }

  private int call(Duration timeout) throws IOException, InterruptedException {
    return connections.exchange(REQUEST, TimeLimit.after(timeout)).status();
  }

  @Test
  void oneConnectionServesOneCallAfterTheOther() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(call(PATIENCE)).isEqualTo(200);
    }
    assertThat(accepted).hasValue(1);
  }

  @Test
  void thereAreNeverMoreConnectionsThanTheLimit() throws Exception {
    var go = new CountDownLatch(1);
    behaviour = answerAfter(go);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Future<Integer>>();
      for (int i = 0; i < 100; i++) {
        calls.add(callers.submit(() -> call(PATIENCE)));
      }
      while (requests.get() < 32) {
        Thread.sleep(5);
      }
      Thread.sleep(100); // for one too many
      assertThat(accepted).hasValue(32);
      go.countDown();
      for (var call : calls) {
        assertThat(call.get()).isEqualTo(200);
      }
    }
    assertThat(accepted).hasValue(32);
  }

  @Test
  void aKeptConnectionThatTheServerClosedCostsNoFailure() throws Exception {
    behaviour =
        socket -> {
          socket.getOutputStream().write(ANSWER);
          socket.close(); // here, not in another thread: no further request is ever read
        };
    call(PATIENCE);
    assertThat(call(PATIENCE)).isEqualTo(200);
    assertThat(accepted).hasValue(2);
    assertThat(requests).hasValue(2);
  }

  @Test
  void anAnswerThatBreaksOffIsNotAskedForAgain() throws Exception {
    call(PATIENCE);
    behaviour =
        socket -> {
          socket.getOutputStream().write("HTTP/1.1 2".getBytes(US_ASCII));
          socket.close();
        };
    assertThatExceptionOfType(EOFException.class).isThrownBy(() -> call(PATIENCE));
    assertThat(requests).hasValue(2);
  }

  @Test
  void silenceEndsAtTheDeadline() {
    behaviour = _ -> {};
    assertEndsInTime();
  }

  @Test
  void anAnswerByteByByteEndsAtTheDeadline() {
    behaviour =
        socket -> {
          while (true) {
            socket.getOutputStream().write('H');
            Thread.sleep(10);
          }
        };
    assertEndsInTime();
  }

  private void assertEndsInTime() {
    long begin = System.nanoTime();
    assertThatExceptionOfType(SocketTimeoutException.class)
        .isThrownBy(() -> call(Duration.ofMillis(300)));
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .isBetween(Duration.ofMillis(290), Duration.ofSeconds(5)); // the machine may be busy
  }

  @Test
  void afterAnOutageNothingOldIsUsed() throws Exception {
    call(PATIENCE);
    Behaviour good = behaviour;
    behaviour = _ -> {};
    assertEndsInTime();
    behaviour = good;
    assertThat(call(PATIENCE)).isEqualTo(200);
    assertThat(accepted).hasValue(2);
  }

  @Test
  void whatIsRetiredEndsItsCallsAndBeginsNone() throws Exception {
    var go = new CountDownLatch(1);
    behaviour = answerAfter(go);
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var underWay = callers.submit(() -> call(PATIENCE));
      while (requests.get() < 1) {
        Thread.sleep(5);
      }
      connections.retire();
      go.countDown();
      assertThat(underWay.get()).isEqualTo(200);
    }
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> call(PATIENCE));
    assertThat(requests).hasValue(1);
    assertThat(open.element().getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void aPortWhereNobodyListensIsNamed() throws Exception {
    server.close();
    acceptor.join(); // until then the system may still take a connection, and reset it
    assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> call(PATIENCE));
  }

  @Test
  void closingEndsCallsUnderWay() throws Exception {
    behaviour = _ -> {};
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var underWay =
          callers.submit(() -> {
            try {
              return call(PATIENCE);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      while (requests.get() < 1) {
        Thread.sleep(5);
      }
      connections.close();
      assertThatExceptionOfType(Exception.class).isThrownBy(underWay::get);
    }
  }
}
