package io.keyward.kms.spi;

/// A setting that cannot work. The plugin adds the file and the line.
public final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String setting;

  public SettingsException(String setting, String problem) {
    super(problem);
    this.setting = setting;
  }

  public String setting() {
    return setting;
  }

  public String problem() {
    return String.valueOf(getMessage());
  }
}
