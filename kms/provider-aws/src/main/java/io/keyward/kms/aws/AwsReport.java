package io.keyward.kms.aws;

import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KekReport.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import software.amazon.awssdk.services.kms.model.KeyMetadata;
import software.amazon.awssdk.services.kms.model.KeyState;

/// What the description of a key means.
final class AwsReport {
  private AwsReport() {}

  static KekReport of(
      AwsKeyName configured,
      Optional<AwsKeyName> pinned,
      KeyMetadata facts,
      boolean unnamedMaterial,
      Optional<Instant> credentialsUntil,
      Optional<String> clock) {
    var warnings = new ArrayList<String>();
    clock.ifPresent(warnings::add);
    String arn = pinned.map(AwsKeyName::value).orElse(facts.arn());
    if (configured.isAlias() && !facts.arn().equals(arn)) {
      warnings.add(
          "the alias "
              + configured.value()
              + " now names another key; this plugin continues with "
              + arn
              + ", but would not find its data after a restart: configure that ARN");
    } else if (!configured.isKeyArn()) {
      warnings.add("the key is configured as " + configured.value() + "; configure its ARN " + arn);
    }
    if (unnamedMaterial) {
      warnings.add(
          "this KMS does not report which key material it uses, so rotations are not detected;"
              + " use a new key instead of rotating this one");
    }
    if (facts.keyState() == KeyState.UNAVAILABLE || facts.keyState() == KeyState.PENDING_IMPORT) {
      warnings.add(
          "the key is in the state "
              + facts.keyStateAsString()
              + "; look at its custom key store, or import its key material");
    }
    Optional<Instant> until =
        Optional.ofNullable(facts.deletionDate()).or(() -> Optional.ofNullable(facts.validTo()));
    return new KekReport(state(facts), until, credentialsUntil, warnings);
  }

  private static State state(KeyMetadata facts) {
    return switch (facts.keyState()) {
      case ENABLED, UPDATING -> State.ENABLED;
      case DISABLED -> State.DISABLED;
      case PENDING_DELETION, PENDING_REPLICA_DELETION -> State.PENDING_DELETION;
      case null, default -> State.UNKNOWN;
    };
  }
}
