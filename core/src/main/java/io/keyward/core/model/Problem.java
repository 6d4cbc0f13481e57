package io.keyward.core.model;

/// Something that was read and not understood. It stays where it is; this says what is wrong.
///
/// @param where the object and the entry, never a value
public record Problem(String where, String what) {}
