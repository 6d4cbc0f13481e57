package io.keyward.cli.recover;

import io.keyward.cli.output.CheckedOutput;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.audit.Coverage;
import io.keyward.storage.object.KubeObject;
import java.io.IOException;
import java.io.PrintWriter;

/// Where recovered objects go.
sealed interface ObjectSink extends AutoCloseable permits ObjectSink.Stream, ObjectDirectory {
  /// Leaves nothing of this object behind where it fails; the next one may still be written.
  void write(ByteView key, KubeObject object) throws IOException;

  /// Whether it has a place for bytes that are no text.
  boolean takesRaw();

  /// What was written is whole, and stays. Without this, closing removes it.
  void complete(Coverage coverage);

  @Override
  void close();

  /// One document after the other.
  record Stream(PrintWriter out, ObjectText text) implements ObjectSink {
    @Override
    public void write(ByteView key, KubeObject object) {
      if (text.output() == RecoverCommand.Output.yaml) {
        out.println("---");
      }
      out.println(text.of(object).strip());
      CheckedOutput.check(out);
    }

    @Override
    public boolean takesRaw() {
      return false;
    }

    @Override
    public void complete(Coverage coverage) {
      CheckedOutput.check(out);
    }

    @Override
    public void close() {}
  }
}
