package io.keyward.serve;

import java.nio.file.Path;

/// A certificate chain and its private key (PKCS#8), both PEM.
public record TlsFiles(Path certificate, Path key) {}
