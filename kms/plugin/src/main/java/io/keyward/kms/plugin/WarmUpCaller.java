package io.keyward.kms.plugin;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/// Speaks just enough HTTP/2 to call this plugin's own KMS v2 service, one call at a time.
///
/// A gRPC client would do as well. But its classes and their compiled code would stay in memory
/// beside every API server, for a few calls at start; and compiling it would delay the server's.
final class WarmUpCaller implements AutoCloseable {
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

  /// What follows the path in every call, in HPACK: POST, http, and as an API server sends them,
  /// `:authority: localhost`, `content-type: application/grpc` (Huffman coded), `te: trailers` and
  /// `grpc-timeout: 3S`.
  private static final byte[] HEADERS =
      HexFormat.of()
          .parseHex(
              "838641096c6f63616c686f73745f8b1d75d0620d263d4c4d65644002746508747261696c657273"
                  + "400c677270632d74696d656f7574023353");

  private static final byte PATH_FOLLOWS = 0x04;
  private static final int DATA = 0;
  private static final int HEADERS_FRAME = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GO_AWAY = 7;
  private static final int WINDOW = 8;
  private static final int ACK = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int FRAME_HEADER = 9;
  private static final int MESSAGE_HEADER = 5;

  /// How many bytes the server may send in all. Given once, so that nothing must be counted.
  private static final int ALL_ANSWERS = 1 << 24;

  private final SocketChannel channel;
  private final ByteBuffer in = ByteBuffer.allocate(32 * 1024).limit(0);
  private final ByteBuffer out = ByteBuffer.allocate(32 * 1024);
  private int stream = -1;

  WarmUpCaller(Path socket) throws IOException {
    channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    out.put(PREFACE);
    frame(SETTINGS, 0, 0, new byte[0]);
    frame(WINDOW, 0, 0, ByteBuffer.allocate(Integer.BYTES).putInt(ALL_ANSWERS).array());
    flush();
  }

  /// Calls `method` and returns the bytes of the answer.
  ///
  /// @throws IOException if there is no answer, or one that is a failure
  byte[] call(String method, byte[] message) throws IOException {
    stream += 2;
    byte[] path = ("/v2.KeyManagementService/" + method).getBytes(US_ASCII);
    byte[] headers =
        ByteBuffer.allocate(HEADERS.length + 2 + path.length)
            .put(PATH_FOLLOWS)
            .put((byte) path.length)
            .put(path)
            .put(HEADERS)
            .array();
    byte[] data =
        ByteBuffer.allocate(MESSAGE_HEADER + message.length)
            .put((byte) 0)
            .putInt(message.length)
            .put(message)
            .array();
    frame(HEADERS_FRAME, END_HEADERS, stream, headers);
    frame(DATA, END_STREAM, stream, data);
    flush();
    return answer();
  }

  private byte[] answer() throws IOException {
    byte[] answer = new byte[0];
    while (true) {
      await(FRAME_HEADER);
      int lengthAndType = in.getInt();
      int flags = in.get();
      int on = in.getInt();
      await(lengthAndType >>> 8);
      var payload = new byte[lengthAndType >>> 8];
      in.get(payload);
      switch (lengthAndType & 0xff) {
        case DATA -> answer = Arrays.copyOfRange(payload, MESSAGE_HEADER, payload.length);
        case SETTINGS, PING -> acknowledge(lengthAndType & 0xff, flags, payload);
        case RESET, GO_AWAY -> throw new IOException("the call was refused");
        default -> {} // the rest concerns only clients that send much
      }
      if (on == stream && (flags & END_STREAM) != 0) {
        return nonEmpty(answer);
      }
    }
  }

  /// A gRPC failure is an answer without a message.
  private static byte[] nonEmpty(byte[] answer) throws IOException {
    if (answer.length == 0) {
      throw new IOException("the call failed");
    }
    return answer;
  }

  private void acknowledge(int type, int flags, byte[] payload) throws IOException {
    if ((flags & ACK) == 0) {
      frame(type, ACK, 0, type == PING ? payload : new byte[0]);
      flush();
    }
  }

  private void frame(int type, int flags, int on, byte[] payload) {
    out.putInt(payload.length << 8 | type).put((byte) flags).putInt(on).put(payload);
  }

  private void flush() throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      channel.write(out);
    }
    out.clear();
  }

  private void await(int bytes) throws IOException {
    while (in.remaining() < bytes) {
      in.compact();
      if (channel.read(in) < 0) {
        throw new EOFException("the connection was closed");
      }
      in.flip();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
