package io.keyward.kms.spi;

/// One thing that can be configured: its name in files, how it is written, and what it is for.
public record Setting(String name, Kind kind, boolean required, String help) {
  /// How the value is written, and what is checked before a provider sees it.
  public enum Kind {
    TEXT,
    /// The path of a file. Secrets are always given so, never in the configuration itself.
    FILE,
    /// A number and a unit: `500ms`, `10s`, `5m`, `1h`.
    DURATION
  }

  public static Setting required(String name, Kind kind, String help) {
    return new Setting(name, kind, true, help);
  }

  public static Setting optional(String name, Kind kind, String help) {
    return new Setting(name, kind, false, help);
  }
}
