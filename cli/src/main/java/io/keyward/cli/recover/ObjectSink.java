package io.keyward.cli.recover;

import io.keyward.storage.object.KubeObject;
import java.io.PrintWriter;

/// Where recovered objects go.
sealed interface ObjectSink extends AutoCloseable permits ObjectSink.Stream, ObjectDirectory {
  void write(String key, KubeObject object);

  /// Whether it has a place for bytes that are no text.
  boolean takesRaw();

  /// What was written is whole, and stays. Without this, closing removes it.
  void complete();

  @Override
  void close();

  /// One document after the other.
  record Stream(PrintWriter out, ObjectText text) implements ObjectSink {
    @Override
    public void write(String key, KubeObject object) {
      if (text.output() == RecoverCommand.Output.yaml) {
        out.println("---");
      }
      out.println(text.of(object).strip());
      out.flush();
    }

    @Override
    public boolean takesRaw() {
      return false;
    }

    @Override
    public void complete() {}

    @Override
    public void close() {}
  }
}
