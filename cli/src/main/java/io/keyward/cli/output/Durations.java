package io.keyward.cli.output;

import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.SettingsException;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads `500ms`, `10s`, `5m` on the command line as in configuration files.
public final class Durations implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String value) {
    try {
      return ProviderSettings.parseDuration("", value);
    } catch (SettingsException e) {
      throw new TypeConversionException(e.problem());
    }
  }
}
