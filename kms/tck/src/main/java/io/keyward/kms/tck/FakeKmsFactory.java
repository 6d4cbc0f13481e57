package io.keyward.kms.tck;

import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.tck.FakeKms.Mood;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The provider `fake`, for plugin processes in tests. Its mood is in a file that a test writes:
/// `good`, `delay 10s`, or `fail UNAVAILABLE`.
public final class FakeKmsFactory implements KmsProviderFactory {
  @Override
  public String name() {
    return "fake";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.required("mood", Setting.Kind.FILE, "file that says how the fake behaves"),
        Setting.optional("key", Setting.Kind.TEXT, "name of the key"));
  }

  @Override
  public KmsProvider create(ProviderSettings settings) {
    Path mood = settings.requiredFile("mood");
    return new FakeKms(settings.text("key").orElse("default"), () -> read(mood));
  }

  private static Mood read(Path file) {
    try {
      String[] words = Files.readString(file).strip().split(" ", 2);
      return switch (words[0]) {
        case "good" -> Mood.GOOD;
        case "delay" -> Mood.slow(ProviderSettings.parseDuration("mood", words[1]));
        default -> Mood.failing(Kind.valueOf(words[1]));
      };
    } catch (IOException e) {
      return new Mood(Duration.ZERO, Optional.of(Kind.UNAVAILABLE), false); // not up yet
    }
  }
}
