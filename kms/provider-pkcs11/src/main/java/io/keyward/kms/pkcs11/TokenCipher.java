package io.keyward.kms.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;

/// Encrypts and decrypts in one piece, with a key that stays in the token.
///
/// The JDK's provider could do that too, but not with additional data in one operation: it begins
/// one without them, ends that by a decryption that must fail, and begins another. The HSM would
/// work twice for each call, and would report a failure to its log for each Decrypt.
final class TokenCipher {
  private static final long CKM_AES_ECB = 0x1081;
  private static final long CKM_AES_GCM = 0x1087;
  static final int TAG = 16;
  private static final int MECHANISM = 3 * Long.BYTES; // CK_MECHANISM
  private static final int GCM_PARAMS = 6 * Long.BYTES; // CK_GCM_PARAMS

  private final Operation encryption;
  private final Operation decryption;

  TokenCipher(Cryptoki module) {
    this.encryption = Operation.of(module, "C_Encrypt");
    this.decryption = Operation.of(module, "C_Decrypt");
  }

  byte[] encryptEcb(long session, long key, byte[] blocks) {
    try (var memory = new Memory(2L * blocks.length)) {
      MemorySegment mechanism = memory.mechanism(CKM_AES_ECB, MemorySegment.NULL);
      return encryption.run(memory, session, mechanism, key, blocks, blocks.length);
    }
  }

  /// Returns the ciphertext and its tag.
  ///
  /// @param nonce has the nonce that was used when it returns: some HSMs put their own in its place
  byte[] encryptGcm(long session, long key, byte[] nonce, byte[] associated, byte[] data) {
    return gcm(encryption, session, key, nonce, associated, data);
  }

  /// Takes the ciphertext and its tag.
  byte[] decryptGcm(long session, long key, byte[] nonce, byte[] associated, byte[] data) {
    return gcm(decryption, session, key, nonce, associated, data);
  }

  private static byte[] gcm(
      Operation operation, long session, long key, byte[] nonce, byte[] associated, byte[] data) {
    int most = data.length + TAG;
    long size = (long) GCM_PARAMS + nonce.length + associated.length + data.length + most;
    try (var memory = new Memory(size)) {
      MemorySegment used = memory.allocator.allocateFrom(JAVA_BYTE, nonce);
      MemorySegment parameters = memory.allocator.allocate(GCM_PARAMS, Long.BYTES);
      MemorySegment mechanism = memory.mechanism(CKM_AES_GCM, parameters);
      parameters.setAtIndex(ADDRESS, 0, used);
      parameters.setAtIndex(JAVA_LONG, 1, nonce.length);
      parameters.setAtIndex(JAVA_LONG, 2, nonce.length * 8L);
      parameters.setAtIndex(ADDRESS, 3, memory.allocator.allocateFrom(JAVA_BYTE, associated));
      parameters.setAtIndex(JAVA_LONG, 4, associated.length);
      parameters.setAtIndex(JAVA_LONG, 5, TAG * 8L);
      byte[] result = operation.run(memory, session, mechanism, key, data, most);
      MemorySegment.copy(used, JAVA_BYTE, 0, nonce, 0, nonce.length);
      return result;
    }
  }

  /// One piece of memory for a call, wiped at its end.
  private static final class Memory implements AutoCloseable {
    /// A mechanism, a length, and what is lost between parts.
    private static final int SMALL_PARTS = MECHANISM + 8 * Long.BYTES;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment all;
    final SegmentAllocator allocator;

    Memory(long size) {
      this.all = arena.allocate(size + SMALL_PARTS, Long.BYTES);
      this.allocator = SegmentAllocator.slicingAllocator(all);
    }

    MemorySegment mechanism(long type, MemorySegment parameters) {
      MemorySegment mechanism = allocator.allocate(MECHANISM, Long.BYTES);
      mechanism.setAtIndex(JAVA_LONG, 0, type);
      mechanism.setAtIndex(ADDRESS, 1, parameters);
      mechanism.setAtIndex(JAVA_LONG, 2, parameters.byteSize());
      return mechanism;
    }

    @Override
    public void close() {
      all.fill((byte) 0);
      arena.close();
    }
  }

  /// A function that begins an operation, and the one that carries it out.
  private record Operation(String name, MethodHandle begin, MethodHandle carryOut) {
    static Operation of(Cryptoki module, String name) {
      return new Operation(
          name,
          module.function(
              name + "Init", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG)),
          module.function(
              name,
              FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS)));
    }

    byte[] run(
        Memory memory, long session, MemorySegment mechanism, long key, byte[] data, int most) {
      MemorySegment length = memory.allocator.allocateFrom(JAVA_LONG, (long) most);
      MemorySegment from = memory.allocator.allocateFrom(JAVA_BYTE, data);
      MemorySegment to = memory.allocator.allocate(most);
      try {
        Cryptoki.check(name + "Init", (long) begin.invokeExact(session, mechanism, key));
        Cryptoki.check(
            name, (long) carryOut.invokeExact(session, from, (long) data.length, to, length));
      } catch (CryptokiException e) {
        throw e;
      } catch (Throwable e) {
        throw new KmsException(Kind.INTERNAL, "a call of the PKCS#11 module failed", e);
      }
      return to.asSlice(0, length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
    }
  }
}
