package io.keyward.storage.audit;

import java.util.Optional;

/// One law about one stored object. Pure and total. May ask for its resource and for everything
/// about its value but the sealed bytes and what plaintext looks like: other values alike in that
/// are judged with it.
@FunctionalInterface
public interface AuditRule {
  Optional<Finding> check(StoredObject object, Expectation expected);
}
