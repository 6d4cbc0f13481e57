package io.keyward.storage.audit;

import io.keyward.storage.envelope.DisplayName;
import io.keyward.storage.envelope.ProviderKind;
import io.keyward.storage.envelope.ValueEnvelope;
import io.keyward.storage.envelope.ValueEnvelope.KmsV1;
import io.keyward.storage.envelope.ValueEnvelope.KmsV2;
import io.keyward.storage.envelope.ValueEnvelope.LocalSealed;
import io.keyward.storage.envelope.ValueEnvelope.Malformed;
import io.keyward.storage.envelope.ValueEnvelope.Plain;

/// What protects a value: the provider, the name of its key, and the KEK. Empty where not known.
public record Seal(ProviderKind provider, String name, String keyId) implements Comparable<Seal> {
  public static Seal of(ValueEnvelope envelope) {
    return switch (envelope) {
      case Plain _ -> new Seal(ProviderKind.IDENTITY, "", "");
      case LocalSealed(var provider, var name, _) -> new Seal(provider, DisplayName.of(name), "");
      case KmsV1(var name, _, _) -> new Seal(ProviderKind.KMS_V1, DisplayName.of(name), "");
      case KmsV2(var name, var object) ->
          new Seal(ProviderKind.KMS_V2, DisplayName.of(name), object.keyId());
      case Malformed(var provider, _, _, _) -> new Seal(provider, "(malformed)", "");
    };
  }

  @Override
  public int compareTo(Seal that) {
    int order = provider.compareTo(that.provider);
    order = order != 0 ? order : name.compareTo(that.name);
    return order != 0 ? order : keyId.compareTo(that.keyId);
  }
}
