package io.keyward.storage.config.text;

/// A place in a document; all three count from 0.
record Mark(int index, int line, int column) {}
