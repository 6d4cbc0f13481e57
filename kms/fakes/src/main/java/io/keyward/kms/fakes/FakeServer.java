package io.keyward.kms.fakes;

import io.keyward.kms.fakes.FakeHttps.Answer;
import io.keyward.kms.fakes.FakeHttps.Request;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/// What tests ask of every fake over HTTPS. A fake says only how it answers.
public abstract class FakeServer implements AutoCloseable {
  private final FakeHttps server;

  FakeServer(Path directory) {
    server = new FakeHttps(directory, this::answer);
  }

  abstract Answer answer(Request request);

  public final URI address() {
    return server.address();
  }

  /// The certificate of the authority that made the server's.
  public final Path ca() {
    return server.ca();
  }

  public final void mood(FakeMood mood) {
    server.mood(mood);
  }

  /// Every request so far, as method and path.
  public final List<String> calls() {
    return server.calls();
  }

  /// How many connections were used so far.
  public final int connections() {
    return server.connections();
  }

  @Override
  public void close() {
    server.close();
  }
}
