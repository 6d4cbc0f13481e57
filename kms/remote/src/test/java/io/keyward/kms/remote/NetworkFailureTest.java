package io.keyward.kms.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.remote.NetworkFailure.Reason;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What kept connections fail with, in words.
final class NetworkFailureTest {
  private static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new UnknownHostException("kms"), Reason.NAME),
        Arguments.of(new SocketTimeoutException("no answer in time"), Reason.TIMEOUT),
        Arguments.of(new ConnectException("refused"), Reason.NOBODY),
        Arguments.of(new EOFException("inside an answer"), Reason.BROKEN));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void isNamedAlsoInsideAnother(IOException failure, Reason reason) {
    assertThat(Reason.of(failure)).isEqualTo(reason);
    assertThat(Reason.of(new IllegalStateException(failure))).isEqualTo(reason);
  }
}
