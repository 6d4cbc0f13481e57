package io.keyward.storage.audit;

import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.config.LocalKey;
import io.keyward.storage.config.Provider;
import io.keyward.storage.envelope.DisplayName;
import io.keyward.storage.envelope.ProviderKind;
import io.keyward.storage.envelope.ValueEnvelope;
import io.keyward.storage.read.ErrorClass;
import io.keyward.storage.read.KeylessCheck;
import io.keyward.storage.read.Reading;
import io.keyward.storage.read.StorageReader;
import io.keyward.storage.read.Unwrapper;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Holds objects against a configuration: can it read them, and would it rewrite them?
///
/// Values under local keys are really opened. Values of a KMS are opened where its plugin is at
/// hand; elsewhere their names are compared.
public final class ObjectCheck {
  private final StorageReader reader;
  private final KeylessCheck keyless;
  private final Set<String> plugins;
  private final List<String> colonNames;

  /// `plugins` are the names of the KMS providers that `kms` can ask.
  public ObjectCheck(EncryptionConfig config, Unwrapper kms, Set<String> plugins) {
    this.reader = new StorageReader(config, kms);
    this.keyless = new KeylessCheck(config, kms::currentKeyId);
    this.plugins = Set.copyOf(plugins);
    this.colonNames =
        config.providers().stream()
            .flatMap(ObjectCheck::names)
            .filter(name -> name.contains(":"))
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  private static Stream<String> names(Provider provider) {
    return switch (provider) {
      case Provider.Identity _ -> Stream.empty();
      case Provider.Local local -> local.keys().stream().map(LocalKey::name);
      case Provider.Kms kms -> Stream.of(kms.name());
    };
  }

  public Optional<Finding> check(StoredObject object) {
    boolean judged = object.place().isObject() && !isMalformed(object);
    if (!judged) {
      return Optional.empty();
    }
    return canOpen(object) ? open(object) : compare(object);
  }

  /// A name with colons misleads the parser, which knows no names. The configuration knows better.
  boolean isMalformed(StoredObject object) {
    return object.envelope() instanceof ValueEnvelope.Malformed && colonName(object).isEmpty();
  }

  /// The true name, where it holds a colon and the configuration knows it.
  Optional<String> colonName(StoredObject object) {
    return colonNames.isEmpty()
        ? Optional.empty()
        : colonNames.stream().filter(object::isSealedUnder).findFirst();
  }

  private boolean canOpen(StoredObject object) {
    ProviderKind kind = object.envelope().provider();
    return (kind != ProviderKind.KMS_V1 && kind != ProviderKind.KMS_V2)
        || plugins.stream().anyMatch(object::isSealedUnder);
  }

  private Optional<Finding> open(StoredObject object) {
    return switch (reader.read(object.place().resource(), object.key(), object.value())) {
      case Reading.Opened(_, var stale, _) -> stale(object, stale);
      case Reading.Refused refused -> unreadable(object, refused.errorClass(), refused.words());
    };
  }

  private Optional<Finding> compare(StoredObject object) {
    return switch (keyless.check(object.place().resource(), object.value())) {
      case KeylessCheck.Outlook.Fits(var stale) -> stale(object, stale);
      case KeylessCheck.Outlook.Unfit(var errorClass) ->
          unreadable(object, errorClass, errorClass.words());
    };
  }

  private static Optional<Finding> stale(StoredObject object, boolean stale) {
    return stale
        ? Optional.of(new Finding(Rule.STALE, name(object), Rule.STALE.words()))
        : Optional.empty();
  }

  private static Optional<Finding> unreadable(
      StoredObject object, ErrorClass errorClass, String words) {
    return Optional.of(
        new Finding(Rule.UNDECRYPTABLE, name(object), errorClass.name() + ": " + words));
  }

  private static String name(StoredObject object) {
    return DisplayName.of(object.key());
  }
}
