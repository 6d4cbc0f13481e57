package io.keyward.storage.audit;

import java.util.Optional;

/// One law about one stored object. Pure and total.
@FunctionalInterface
public interface AuditRule {
  Optional<Finding> check(StoredObject object, Expectation expected);
}
