import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/// AES-GCM calls of a PKCS#11 module on one thread, one operation each, with nothing around them.
/// Lower than the floor, whose calls ([DirectPkcs11]) are two operations each. Run as
/// `java --enable-native-access=ALL-UNNAMED BarePkcs11.java MODULE KEY-LABEL PIN-FILE SECONDS`;
/// prints `encrypt-p50-us decrypt-p50-us`. Takes the first token.
final class BarePkcs11 {
  private static final long SERIAL_SESSION = 4;
  private static final long USER = 1;
  private static final long CKA_LABEL = 3;
  private static final long CKM_AES_GCM = 0x1087;
  private static final int NONCE = 12;
  private static final int TAG = 16;
  private static final int DATA = 32;

  private static final Arena MEMORY = Arena.global();
  private final SymbolLookup library;
  private final MemorySegment nonce = MEMORY.allocate(NONCE);
  private final MemorySegment mechanism = mechanism(nonce, MEMORY.allocate(47));
  private final MemorySegment plain = MEMORY.allocate(DATA + TAG);
  private final MemorySegment sealed = MEMORY.allocate(DATA + TAG);
  private final MemorySegment length = MEMORY.allocate(JAVA_LONG);
  private final SecureRandom random = new SecureRandom();
  private long session;
  private long key;

  private BarePkcs11(Path module) {
    this.library = SymbolLookup.libraryLookup(module, MEMORY);
  }

  public static void main(String[] args) throws Throwable {
    var direct = new BarePkcs11(Path.of(args[0]));
    direct.open(args[1], Files.readString(Path.of(args[2])).strip());
    long nanos = Long.parseLong(args[3]) * 1_000_000_000L;
    Median.Call encryption = direct.operation("C_Encrypt", direct.plain, DATA, direct.sealed);
    Median.Call decryption = direct.operation("C_Decrypt", direct.sealed, DATA + TAG, direct.plain);
    long encrypt = 0;
    long decrypt = 0;
    for (int round = 0; round < 2; round++) { // the first one warms up
      encrypt =
          Median.micros(nanos, () -> {
            var bytes = new byte[NONCE];
            direct.random.nextBytes(bytes);
            MemorySegment.copy(bytes, 0, direct.nonce, JAVA_BYTE, 0, NONCE);
            encryption.run();
          });
      decrypt = Median.micros(nanos, decryption);
    }
    System.out.println(encrypt + " " + decrypt);
  }

  private void open(String label, String pin) throws Throwable {
    check(function("C_Initialize", ADDRESS).invoke(MemorySegment.NULL));
    MemorySegment slots = MEMORY.allocate(JAVA_LONG, 16);
    MemorySegment count = MEMORY.allocateFrom(JAVA_LONG, 16L);
    check(function("C_GetSlotList", JAVA_BYTE, ADDRESS, ADDRESS).invoke((byte) 1, slots, count));
    MemorySegment found = MEMORY.allocate(JAVA_LONG);
    check(
        function("C_OpenSession", JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS)
            .invoke(
                slots.get(JAVA_LONG, 0),
                SERIAL_SESSION,
                MemorySegment.NULL,
                MemorySegment.NULL,
                found));
    session = found.get(JAVA_LONG, 0);
    check(
        function("C_Login", JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG)
            .invoke(session, USER, MEMORY.allocateFrom(pin), (long) pin.length()));
    MemorySegment wanted = MEMORY.allocate(JAVA_LONG, 3);
    wanted.setAtIndex(JAVA_LONG, 0, CKA_LABEL);
    wanted.setAtIndex(ADDRESS, 1, MEMORY.allocateFrom(label));
    wanted.setAtIndex(JAVA_LONG, 2, label.length());
    check(function("C_FindObjectsInit", JAVA_LONG, ADDRESS, JAVA_LONG).invoke(session, wanted, 1L));
    check(
        function("C_FindObjects", JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS)
            .invoke(session, found, 1L, count));
    if (count.get(JAVA_LONG, 0) != 1) {
      throw new IllegalStateException("the first token has no key " + label);
    }
    check(function("C_FindObjectsFinal", JAVA_LONG).invoke(session));
    key = found.get(JAVA_LONG, 0);
  }

  /// `CK_MECHANISM` with `CK_GCM_PARAMS`.
  private static MemorySegment mechanism(MemorySegment nonce, MemorySegment associated) {
    MemorySegment parameters = MEMORY.allocate(JAVA_LONG, 6);
    parameters.setAtIndex(ADDRESS, 0, nonce);
    parameters.setAtIndex(JAVA_LONG, 1, nonce.byteSize());
    parameters.setAtIndex(JAVA_LONG, 2, nonce.byteSize() * 8);
    parameters.setAtIndex(ADDRESS, 3, associated);
    parameters.setAtIndex(JAVA_LONG, 4, associated.byteSize());
    parameters.setAtIndex(JAVA_LONG, 5, TAG * 8L);
    MemorySegment mechanism = MEMORY.allocate(JAVA_LONG, 3);
    mechanism.setAtIndex(JAVA_LONG, 0, CKM_AES_GCM);
    mechanism.setAtIndex(ADDRESS, 1, parameters);
    mechanism.setAtIndex(JAVA_LONG, 2, parameters.byteSize());
    return mechanism;
  }

  private Median.Call operation(String name, MemorySegment from, long size, MemorySegment to) {
    MethodHandle begin = function(name + "Init", JAVA_LONG, ADDRESS, JAVA_LONG);
    MethodHandle carryOut = function(name, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    return () -> {
      length.set(JAVA_LONG, 0, DATA + TAG);
      check((long) begin.invokeExact(session, mechanism, key));
      check((long) carryOut.invokeExact(session, from, size, to, length));
    };
  }

  private MethodHandle function(String name, java.lang.foreign.MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(library.findOrThrow(name), FunctionDescriptor.of(JAVA_LONG, arguments));
  }

  private static void check(Object result) {
    if ((long) result != 0) {
      throw new IllegalStateException("the module answered 0x" + Long.toHexString((long) result));
    }
  }
}
