package io.keyward.core.view;

import io.keyward.core.model.Blocker;
import io.keyward.core.model.Condition;
import io.keyward.core.model.Condition.Status;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.rollout.Revisions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The state of encryption in one sentence: the first line of `keyward status`.
///
/// @param words complete the sentence that the state starts
public record EncryptionVerdict(State state, String words) {
  /// The later in this list, the sooner an administrator must know.
  public enum State {
    ENCRYPTED("Encrypted"),
    NOT_ENCRYPTED("Not encrypted"),
    RE_ENCRYPTING("Re-encrypting"),
    ENCRYPTING("Encrypting"),
    DECRYPTING("Decrypting"),
    UNKNOWN("Unknown"),
    BLOCKED("Blocked");

    private final String word;

    State(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /// Waits that only an administrator can end.
  private static final Set<String> NEEDS_ADMIN =
      Set.of(Blocker.EXISTING_ENCRYPTION.reason(), Blocker.UNKNOWN_REVISION.reason());

  /// The verdict on a cluster: that of the API server of which an administrator must know first.
  ///
  /// @param unread names of API servers whose state could not be read
  public static EncryptionVerdict of(List<SiteView> sites, List<String> unread) {
    boolean single = sites.size() + unread.size() == 1;
    var all = new ArrayList<EncryptionVerdict>();
    for (SiteView site : sites) {
      EncryptionVerdict one = of(site);
      all.add(single ? one : new EncryptionVerdict(one.state, site.component() + ": " + one.words));
    }
    for (String name : unread) {
      all.add(new EncryptionVerdict(State.UNKNOWN, "the state of " + name + " cannot be read"));
    }
    if (sites.size() > 1 && all.stream().allMatch(one -> one.state == State.ENCRYPTED)) {
      return new EncryptionVerdict(
          State.ENCRYPTED,
          "every resource of " + joined(sites.stream().map(SiteView::component)) + " is encrypted");
    }
    // The first of those that are equal.
    return all.stream()
        .sorted(Comparator.comparing(EncryptionVerdict::state).reversed())
        .findFirst()
        .orElseGet(() -> new EncryptionVerdict(State.UNKNOWN, "no API server is configured"));
  }

  /// The verdict on one API server.
  public static EncryptionVerdict of(SiteView site) {
    return blocked(site)
        .map(why -> new EncryptionVerdict(State.BLOCKED, why))
        .orElseGet(() -> new Unblocked(site).verdict());
  }

  /// The first line of `keyward status`.
  public String sentence() {
    return state.word + ": " + words;
  }

  private static Optional<String> blocked(SiteView site) {
    return site.conditions().stream()
        .filter(one -> one.isDegraded() || isForAdmin(one))
        .map(one -> one.message().isEmpty() ? one.type() : one.message())
        .findFirst()
        .or(() -> instances(site).flatMap(one -> failure(one).stream()).findFirst())
        .map(text -> text.strip().replaceAll("\\s*\\n\\s*", "; "));
  }

  private static boolean isForAdmin(Condition condition) {
    return condition.type().equals("EncryptionWaiting")
        && condition.status() == Status.TRUE
        && NEEDS_ADMIN.contains(condition.reason());
  }

  private static Stream<Revisions.Node> instances(SiteView site) {
    return Stream.concat(
        site.nodes().stream(), site.deployment().stream().flatMap(one -> one.pods().stream()));
  }

  /// Why an instance does not reach its revision by itself.
  private static Optional<String> failure(Revisions.Node one) {
    if (one.failed() > 0 && one.failed() >= one.target()) {
      return Optional.of(
          one.name()
              + " cannot run revision "
              + one.failed()
              + (one.failure().isEmpty() ? "" : ": " + one.failure()));
    }
    return one.silence()
        .filter(_ -> one.current() != one.target())
        .map(why -> one.name() + " does not reach revision " + one.target() + ": " + why);
  }

  private static String joined(Stream<String> names) {
    return names.collect(Collectors.joining(", "));
  }

  /// The words about an API server that nothing blocks.
  private record Unblocked(SiteView site) {
    EncryptionVerdict verdict() {
      List<KeyView> writing = site.keys().stream().filter(key -> !key.writes().isEmpty()).toList();
      if (writing.isEmpty()) {
        return unwritten();
      }
      if (writing.stream().anyMatch(Unblocked::isIdentity)) {
        return plaintext(writing);
      }
      return writing.stream()
          .filter(key -> !open(key).isEmpty())
          .findFirst()
          .map(this::inProgress)
          .orElseGet(() -> settled(writing));
    }

    /// No configuration with a write key runs.
    private EncryptionVerdict unwritten() {
      if (isIdentity(site.wanted())) {
        return new EncryptionVerdict(State.NOT_ENCRYPTED, "plaintext is requested");
      }
      return site.keys().isEmpty()
          ? new EncryptionVerdict(
              State.NOT_ENCRYPTED, site.wanted() + " is requested, but there is no key yet")
          : new EncryptionVerdict(
              State.ENCRYPTING, name(site.keys().getFirst()) + " is being rolled out for reading");
    }

    private EncryptionVerdict plaintext(List<KeyView> writing) {
      List<Resource> open =
          writing.stream()
              .filter(Unblocked::isIdentity)
              .flatMap(key -> open(key).stream())
              .distinct()
              .toList();
      if (!open.isEmpty()) {
        return new EncryptionVerdict(State.DECRYPTING, names(open));
      }
      return new EncryptionVerdict(
          State.NOT_ENCRYPTED,
          isIdentity(site.wanted())
              ? "every resource is stored in plaintext, as requested"
              : site.wanted() + " is requested; every resource is still stored in plaintext");
    }

    private EncryptionVerdict inProgress(KeyView key) {
      List<Resource> open = open(key);
      boolean before =
          site.keys().stream()
              .filter(other -> !isIdentity(other) && !other.serial().equals(key.serial()))
              .anyMatch(other -> other.migrated().stream().anyMatch(open::contains));
      return new EncryptionVerdict(
          before || isEncrypted() ? State.RE_ENCRYPTING : State.ENCRYPTING,
          names(open) + " with " + name(key));
    }

    private EncryptionVerdict settled(List<KeyView> writing) {
      String with = joined(writing.stream().map(Unblocked::name));
      Optional<Condition> condition = condition("Encrypted");
      if (condition.isEmpty()) {
        return new EncryptionVerdict(State.UNKNOWN, "the operator has not reported the state yet");
      }
      if (!isEncrypted()) {
        String message = condition.orElseThrow().message();
        return new EncryptionVerdict(
            State.ENCRYPTING, message.isEmpty() ? "resources with " + with : message);
      }
      if (condition("EncryptionKEKRotationProgressing")
          .filter(one -> one.reason().equals("MigratingToKEK"))
          .isPresent()) {
        return new EncryptionVerdict(
            State.RE_ENCRYPTING, "resources with " + with + ", because the KMS key was rotated");
      }
      KeyView newest = site.keys().getFirst();
      if (newest.serial().compareTo(writing.getFirst().serial()) > 0) {
        return new EncryptionVerdict(
            State.RE_ENCRYPTING,
            name(newest)
                + " is being rolled out; until then every resource is encrypted with "
                + with);
      }
      return new EncryptionVerdict(
          State.ENCRYPTED, "every resource is encrypted with " + with + rollout());
    }

    private String rollout() {
      List<String> behind =
          instances(site)
              .filter(one -> one.current() != site.latestRevision() || !one.ready())
              .map(Revisions.Node::name)
              .toList();
      return behind.isEmpty()
          ? ""
          : "; waiting for revision " + site.latestRevision() + " on " + String.join(", ", behind);
    }

    private boolean isEncrypted() {
      return condition("Encrypted").filter(one -> one.status() == Status.TRUE).isPresent();
    }

    private Optional<Condition> condition(String type) {
      return site.conditions().stream().filter(one -> one.type().equals(type)).findFirst();
    }

    /// Resources that are written with the key and may still be stored under another one.
    private static List<Resource> open(KeyView key) {
      return key.writes().stream().filter(one -> !key.migrated().contains(one)).toList();
    }

    private static boolean isIdentity(KeyView key) {
      return isIdentity(key.mode());
    }

    private static boolean isIdentity(String mode) {
      return mode.equals(Mode.IDENTITY.word());
    }

    private static String name(KeyView key) {
      return "key " + key.serial() + " (" + key.mode() + ")";
    }

    private static String names(List<Resource> resources) {
      return joined(resources.stream().map(Resource::canonical));
    }
  }
}
