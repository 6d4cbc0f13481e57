package io.keyward.kms.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Finds the slot that holds the token with a label. The JDK's provider cannot: it wants a slot
/// number, and those change when tokens are added, on some HSMs at each start.
@SuppressWarnings("restricted") // the module is what the administrator configured
final class TokenFinder {
  private static final long OK = 0;
  private static final long ALREADY_INITIALIZED = 0x191;
  private static final int LABEL = 32;
  private static final int TOKEN_INFO = 256; // CK_TOKEN_INFO has 208
  private static final int MAX_SLOTS = 1024;

  private final SymbolLookup library;

  private TokenFinder(SymbolLookup library) {
    this.library = library;
  }

  static long slotOf(Path module, String label) {
    SymbolLookup library;
    try {
      // For ever: the JDK's provider uses the same library, and modules do not like to be unloaded.
      library = SymbolLookup.libraryLookup(module, Arena.global());
    } catch (IllegalArgumentException e) {
      throw new KmsException(
          Kind.UNAVAILABLE,
          "the PKCS#11 module cannot be loaded",
          Map.of("module", module.toString()));
    }
    return new TokenFinder(library).find(label);
  }

  private long find(String label) {
    long begun = call("C_Initialize", MemorySegment.NULL);
    if (begun != OK && begun != ALREADY_INITIALIZED) {
      throw failure("C_Initialize", begun);
    }
    try {
      for (long slot : slots()) {
        if (label(slot).equals(label)) {
          return slot;
        }
      }
    } finally {
      if (begun == OK) {
        call("C_Finalize", MemorySegment.NULL); // the JDK's provider begins anew
      }
    }
    throw new KmsException(
        Kind.UNAVAILABLE, "no token with the configured label is present", Map.of("token", label));
  }

  private List<Long> slots() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_LONG);
      count.set(JAVA_LONG, 0, MAX_SLOTS);
      MemorySegment ids = arena.allocate(JAVA_LONG, MAX_SLOTS);
      var signature = FunctionDescriptor.of(JAVA_LONG, JAVA_BYTE, ADDRESS, ADDRESS);
      long result = (long) handle("C_GetSlotList", signature).invoke((byte) 1, ids, count);
      if (result != OK) {
        throw failure("C_GetSlotList", result);
      }
      var slots = new ArrayList<Long>();
      for (int i = 0; i < Math.min(MAX_SLOTS, count.get(JAVA_LONG, 0)); i++) {
        slots.add(ids.getAtIndex(JAVA_LONG, i));
      }
      return slots;
    } catch (Throwable e) {
      throw asFailure(e);
    }
  }

  private String label(long slot) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(TOKEN_INFO, 8);
      var signature = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS);
      long result = (long) handle("C_GetTokenInfo", signature).invoke(slot, info);
      // Padded with blanks, not ended by a zero.
      return result == OK
          ? new String(info.asSlice(0, LABEL).toArray(JAVA_BYTE), UTF_8).stripTrailing()
          : "";
    } catch (Throwable e) {
      throw asFailure(e);
    }
  }

  private long call(String function, MemorySegment argument) {
    try {
      return (long) handle(function, FunctionDescriptor.of(JAVA_LONG, ADDRESS)).invoke(argument);
    } catch (Throwable e) {
      throw asFailure(e);
    }
  }

  private java.lang.invoke.MethodHandle handle(String function, FunctionDescriptor signature) {
    return Linker.nativeLinker()
        .downcallHandle(
            library
                .find(function)
                .orElseThrow(() -> new KmsException(Kind.UNAVAILABLE, "this is no PKCS#11 module")),
            signature);
  }

  private static KmsException failure(String function, long code) {
    return new KmsException(
        Kind.UNAVAILABLE,
        "the PKCS#11 module refuses to say what tokens it has",
        Map.of("function", function, "code", "0x" + Long.toHexString(code)));
  }

  private static KmsException asFailure(Throwable e) {
    return e instanceof KmsException failure
        ? failure
        : new KmsException(Kind.INTERNAL, "a call of the PKCS#11 module failed", e);
  }
}
