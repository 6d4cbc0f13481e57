package io.keyward.testbed.binary;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/// Names a build by all that goes into it, so that a changed source, flag or compiler never meets
/// an old program.
final class BuildKey {
  private static final int LENGTH = 32;

  private BuildKey() {}

  static String of(ServerBinary binary, GoModule module, GoToolchain go) {
    MessageDigest hash = sha256();
    add(hash, module.mod());
    add(hash, module.sum());
    add(hash, binary.goPackage());
    add(hash, go.version());
    add(hash, new TreeMap<>(GoToolchain.SETTINGS).toString());
    flags().forEach(flag -> add(hash, flag));
    module
        .own()
        .forEach((name, source) -> {
          add(hash, name);
          add(hash, source);
        });
    return HexFormat.of().formatHex(hash.digest()).substring(0, LENGTH);
  }

  static List<String> flags() {
    return List.of("-trimpath", "-buildvcs=false", "-tags", "minimal", "-ldflags", linkerFlags());
  }

  /// Kubernetes takes its version from here; without it clients see v0.0.0 and feature gates of a
  /// release are off.
  private static String linkerFlags() {
    String version = "-X k8s.io/component-base/version.";
    return "-s -w "
        + (version + "gitVersion=v1.36.3 ")
        + (version + "gitMajor=1 ")
        + (version + "gitMinor=36");
  }

  /// The length goes first, so that two parts cannot be read as two others.
  private static void add(MessageDigest hash, String part) {
    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
    hash.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
    hash.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
