package io.keyward.core.rollout;

import io.keyward.core.rollout.RolloutBlocker.UnknownRevision;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The revisions whose content the cluster has. After etcd was restored from a backup, nodes may
/// run a later one, and a number may mean another content than it did before.
///
/// @param newest the newest revision, 0 where there is none
/// @param digests of the configuration of each revision that exists
/// @param published the digest of the configuration that was last written
public record KnownRevisions(
    long newest, SortedMap<Long, String> digests, Optional<String> published) {
  public KnownRevisions {
    digests = Collections.unmodifiableSortedMap(new TreeMap<>(digests));
  }

  /// A revision that an instance runs, or has in its files.
  ///
  /// @param kind `node` or `pod`
  /// @param revision 0 where it has none
  /// @param digest of the configuration that is there; absent where the instance does not report it
  public record Claim(String kind, String name, long revision, Optional<String> digest) {}

  /// Empty where the cluster has the content. Where the Secret of a revision was deleted, an equal
  /// content under another number is enough: no key can be lost.
  public Optional<UnknownRevision> unknown(Claim claim) {
    if (claim.revision() == 0) {
      return Optional.empty();
    }
    boolean isNumberKnown = digests.containsKey(claim.revision());
    boolean isKnown =
        claim
            .digest()
            .map(digest ->
                isNumberKnown
                    ? digest.equals(digests.get(claim.revision()))
                    : digests.containsValue(digest) || published.equals(Optional.of(digest)))
            .orElse(isNumberKnown || claim.revision() <= newest);
    return isKnown
        ? Optional.empty()
        : Optional.of(
            new UnknownRevision(claim.kind(), claim.name(), claim.revision(), isNumberKnown));
  }
}
