package io.keyward.storage.audit;

import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.envelope.DisplayName;
import io.keyward.storage.envelope.ValueEnvelope;
import java.util.List;
import java.util.Optional;

/// The laws that need nothing but the object. All of them are asked, about every object.
public final class Rules {
  /// What every live object is held to.
  public static final List<AuditRule> LIVE =
      List.of(Rules::plaintext, Rules::expectedKey, Rules::unusedKey, Rules::unusedKek);

  /// What old versions are held to: an API server may still be asked for them.
  public static final List<AuditRule> HISTORY = List.of(Rules::unusedKey, Rules::unusedKek);

  private Rules() {}

  static Optional<Finding> plaintext(StoredObject object, Expectation expected) {
    return object.envelope() instanceof ValueEnvelope.Plain
            && expected.wantsEncrypted(object.place())
        ? found(Rule.PLAINTEXT, object)
        : Optional.empty();
  }

  static Optional<Finding> malformed(StoredObject object, Expectation expected) {
    return object.envelope() instanceof ValueEnvelope.Malformed(_, var problem, _, _)
        ? Optional.of(new Finding(Rule.MALFORMED, name(object), problem.words()))
        : Optional.empty();
  }

  /// Only about what must be encrypted, and is: plaintext has a law of its own.
  static Optional<Finding> expectedKey(StoredObject object, Expectation expected) {
    boolean concerned = expected.wantsEncrypted(object.place()) && object.envelope().isEncrypted();
    return expected
        .key()
        .filter(key -> concerned && !object.isSealedUnder(key) && !object.isUnderKek(key))
        .flatMap(_ -> found(Rule.UNEXPECTED_KEY, object));
  }

  static Optional<Finding> unusedKey(StoredObject object, Expectation expected) {
    if (expected.unusedKeys().isEmpty()) {
      return Optional.empty();
    }
    return expected.unusedKeys().stream()
        .filter(object::isSealedUnder)
        .sorted()
        .findFirst()
        .map(key -> new Finding(Rule.KEY_IN_USE, name(object), "sealed under " + key));
  }

  /// KMS v1 hides its KEK, so its values can never prove that a KEK is unused.
  static Optional<Finding> unusedKek(StoredObject object, Expectation expected) {
    if (expected.unusedKeks().isEmpty()) {
      return Optional.empty();
    }
    if (object.envelope() instanceof ValueEnvelope.KmsV1) {
      return found(Rule.KEY_UNKNOWABLE, object);
    }
    return expected.unusedKeks().stream()
        .filter(object::isUnderKek)
        .sorted()
        .findFirst()
        .map(kek -> new Finding(Rule.KEK_IN_USE, name(object), "its DEK is wrapped by " + kek));
  }

  private static Optional<Finding> found(Rule rule, StoredObject object) {
    return Optional.of(new Finding(rule, name(object), rule.words()));
  }

  static String name(StoredObject object) {
    return DisplayName.of(object.key());
  }
}
