package io.keyward.storage.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.etcd.bytes.ByteView;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/// Names as text for people: a run of bytes that is not UTF-8 becomes one question mark.
public final class DisplayName {
  private DisplayName() {}

  public static String of(ByteView name) {
    return name.utf8().orElseGet(() -> repaired(name));
  }

  private static String repaired(ByteView name) {
    CharsetDecoder decoder =
        UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = name.toBuffer();
    CharBuffer out = CharBuffer.allocate(name.size() + 1);
    var text = new StringBuilder();
    boolean inRun = false;
    while (true) {
      CoderResult result = decoder.decode(in, out, true);
      inRun &= out.position() == 0;
      text.append(out.flip());
      out.clear();
      if (result.isUnderflow()) {
        return text.toString();
      }
      // One byte at a time, as Go counts bad bytes; a cut sequence then is one run as well.
      in.position(in.position() + 1);
      decoder.reset();
      if (!inRun) {
        text.append('?');
      }
      inRun = true;
    }
  }
}
