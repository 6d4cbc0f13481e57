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
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The functions of a PKCS#11 module that the JDK's provider has no way to: which token is in which
/// slot, keys by `CKA_ID`, and AES key wrap. (The JDK wants modules that also encrypt with that
/// mechanism, and gives it a parameter that modules refuse.)
///
/// Login is a matter of the whole process, so what the JDK's provider logged in counts here too.
/// Layouts are those of 64-bit Linux, where `CK_ULONG` has 8 bytes.
@SuppressWarnings("restricted") // the module is what the administrator configured
final class Cryptoki {
  static final long CKA_CLASS = 0x0;
  static final long CKA_TOKEN = 0x1;
  static final long CKA_LABEL = 0x3;
  static final long CKA_VALUE = 0x11;
  static final long CKA_KEY_TYPE = 0x100;
  static final long CKA_ID = 0x102;
  static final long CKA_SENSITIVE = 0x103;
  static final long CKA_EXTRACTABLE = 0x162;
  static final long SECRET_KEY = 4;
  static final long AES = 0x1F;
  private static final long CKM_AES_KEY_WRAP = 0x2109;

  private static final long OK = 0;
  private static final long ALREADY_INITIALIZED = 0x191;
  private static final long SERIAL_SESSION = 4;
  private static final int TOKEN_INFO = 256; // CK_TOKEN_INFO has 208
  private static final int TOKEN_LABEL = 32;
  private static final int TOKEN_SERIAL_AT = 80;
  private static final int TOKEN_SERIAL = 16;
  private static final int MAX_SLOTS = 1024;
  private static final int MAX_KEYS = 10_000;
  private static final int MAX_VALUE = 4096;

  private final SymbolLookup library;
  private final ConcurrentMap<String, MethodHandle> functions = new ConcurrentHashMap<>();

  private final TokenCipher cipher;

  private Cryptoki(SymbolLookup library) {
    this.library = library;
    this.cipher = new TokenCipher(this);
  }

  static Cryptoki of(Path module) {
    try {
      // For ever: the JDK's provider uses the same library, and modules do not like to be unloaded.
      return new Cryptoki(SymbolLookup.libraryLookup(module, Arena.global()));
    } catch (IllegalArgumentException e) {
      throw new KmsException(
          Kind.UNAVAILABLE,
          "the PKCS#11 module cannot be loaded",
          Map.of("module", module.toString()));
    }
  }

  TokenCipher cipher() {
    return cipher;
  }

  /// True where this call has initialized it, false where that was done before.
  boolean initialize() {
    long result = raw("C_Initialize", MemorySegment.NULL);
    if (result != OK && result != ALREADY_INITIALIZED) {
      throw new CryptokiException("C_Initialize", result);
    }
    return result == OK;
  }

  void finish() {
    call("C_Finalize", MemorySegment.NULL);
  }

  List<Long> slots() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocateFrom(JAVA_LONG, MAX_SLOTS);
      MemorySegment ids = arena.allocate(JAVA_LONG, MAX_SLOTS);
      call("C_GetSlotList", (byte) 1, ids, count);
      return longs(ids, Math.min(MAX_SLOTS, count.get(JAVA_LONG, 0)));
    }
  }

  /// Empty for a slot whose token cannot be asked.
  Optional<TokenName> token(long slot) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(TOKEN_INFO, 8);
      return raw("C_GetTokenInfo", slot, info) == OK
          ? Optional.of(
              new TokenName(
                  text(info.asSlice(0, TOKEN_LABEL)),
                  text(info.asSlice(TOKEN_SERIAL_AT, TOKEN_SERIAL))))
          : Optional.empty();
    }
  }

  /// The module pads with blanks, and ends with no zero.
  private static String text(MemorySegment padded) {
    return new String(padded.toArray(JAVA_BYTE), UTF_8).stripTrailing();
  }

  long openSession(long slot) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment session = arena.allocate(JAVA_LONG);
      call("C_OpenSession", slot, SERIAL_SESSION, MemorySegment.NULL, MemorySegment.NULL, session);
      return session.get(JAVA_LONG, 0);
    }
  }

  void closeSession(long session) {
    call("C_CloseSession", session);
  }

  List<Long> aesKeys(long session) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment wanted =
          attributes(arena, Map.of(CKA_CLASS, SECRET_KEY, CKA_KEY_TYPE, AES), Map.of());
      call("C_FindObjectsInit", session, wanted, 2L);
      try {
        MemorySegment found = arena.allocate(JAVA_LONG, MAX_KEYS);
        MemorySegment count = arena.allocate(JAVA_LONG);
        call("C_FindObjects", session, found, (long) MAX_KEYS, count);
        return longs(found, Math.min(MAX_KEYS, count.get(JAVA_LONG, 0)));
      } finally {
        call("C_FindObjectsFinal", session);
      }
    }
  }

  byte[] attribute(long session, long object, long type) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(MAX_VALUE);
      MemorySegment attribute = arena.allocate(JAVA_LONG, 3);
      attribute.setAtIndex(JAVA_LONG, 0, type);
      attribute.setAtIndex(ADDRESS, 1, value);
      attribute.setAtIndex(JAVA_LONG, 2, MAX_VALUE);
      call("C_GetAttributeValue", session, object, attribute, 1L);
      byte[] bytes = value.asSlice(0, attribute.getAtIndex(JAVA_LONG, 2)).toArray(JAVA_BYTE);
      value.fill((byte) 0);
      return bytes;
    }
  }

  /// Puts a key into the session for as long as it lasts, where it may be wrapped.
  long createKey(long session, byte[] key) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocateFrom(JAVA_BYTE, key);
      MemorySegment template = attributes(arena, temporaryKey(), Map.of(CKA_VALUE, value));
      MemorySegment handle = arena.allocate(JAVA_LONG);
      try {
        call("C_CreateObject", session, template, temporaryKey().size() + 1L, handle);
      } finally {
        value.fill((byte) 0);
      }
      return handle.get(JAVA_LONG, 0);
    }
  }

  byte[] wrapKey(long session, long kek, long key) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment wrapped = arena.allocate(MAX_VALUE);
      MemorySegment length = arena.allocateFrom(JAVA_LONG, MAX_VALUE);
      call("C_WrapKey", session, keyWrap(arena), kek, key, wrapped, length);
      return wrapped.asSlice(0, length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
    }
  }

  long unwrapKey(long session, long kek, byte[] wrapped) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = arena.allocate(JAVA_LONG);
      call(
          "C_UnwrapKey",
          session,
          keyWrap(arena),
          kek,
          arena.allocateFrom(JAVA_BYTE, wrapped),
          (long) wrapped.length,
          attributes(arena, temporaryKey(), Map.of()),
          (long) temporaryKey().size(),
          handle);
      return handle.get(JAVA_LONG, 0);
    }
  }

  void destroy(long session, long object) {
    call("C_DestroyObject", session, object);
  }

  private static Map<Long, Long> temporaryKey() {
    return Map.of(
        CKA_CLASS,
        SECRET_KEY,
        CKA_KEY_TYPE,
        AES,
        CKA_TOKEN,
        0L,
        CKA_SENSITIVE,
        0L,
        CKA_EXTRACTABLE,
        1L);
  }

  private static MemorySegment keyWrap(Arena arena) {
    MemorySegment mechanism = arena.allocate(JAVA_LONG, 3);
    mechanism.setAtIndex(JAVA_LONG, 0, CKM_AES_KEY_WRAP); // and no parameter: the standard's IV
    return mechanism;
  }

  private static MemorySegment attributes(
      Arena arena, Map<Long, Long> numbers, Map<Long, MemorySegment> values) {
    MemorySegment all = arena.allocate(JAVA_LONG, 3L * (numbers.size() + values.size()));
    long at = 0;
    for (var number : numbers.entrySet()) {
      boolean flag = number.getKey() != CKA_CLASS && number.getKey() != CKA_KEY_TYPE;
      MemorySegment value =
          flag
              ? arena.allocateFrom(JAVA_BYTE, number.getValue().byteValue())
              : arena.allocateFrom(JAVA_LONG, number.getValue());
      put(all, at++, number.getKey(), value);
    }
    for (var value : values.entrySet()) {
      put(all, at++, value.getKey(), value.getValue());
    }
    return all;
  }

  private static void put(MemorySegment all, long at, long type, MemorySegment value) {
    all.setAtIndex(JAVA_LONG, 3 * at, type);
    all.setAtIndex(ADDRESS, 3 * at + 1, value);
    all.setAtIndex(JAVA_LONG, 3 * at + 2, value.byteSize());
  }

  private static List<Long> longs(MemorySegment from, long count) {
    var all = new ArrayList<Long>();
    for (long i = 0; i < count; i++) {
      all.add(from.getAtIndex(JAVA_LONG, i));
    }
    return all;
  }

  private void call(String function, Object... arguments) {
    check(function, raw(function, arguments));
  }

  static void check(String function, long result) {
    if (result != OK) {
      throw new CryptokiException(function, result);
    }
  }

  private long raw(String function, Object... arguments) {
    MethodHandle handle = functions.computeIfAbsent(function, name -> find(name, arguments));
    try {
      return (long) handle.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new KmsException(Kind.INTERNAL, "a call of the PKCS#11 module failed", e);
    }
  }

  private MethodHandle find(String function, Object... arguments) {
    var layouts = new MemoryLayout[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      layouts[i] =
          switch (arguments[i]) {
            case Byte _ -> JAVA_BYTE;
            case Long _ -> JAVA_LONG;
            default -> ADDRESS;
          };
    }
    return function(function, FunctionDescriptor.of(JAVA_LONG, layouts));
  }

  MethodHandle function(String name, FunctionDescriptor type) {
    MemorySegment address =
        library
            .find(name)
            .orElseThrow(() -> new KmsException(Kind.UNAVAILABLE, "this is no PKCS#11 module"));
    return Linker.nativeLinker().downcallHandle(address, type);
  }
}
