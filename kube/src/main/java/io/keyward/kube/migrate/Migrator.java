package io.keyward.kube.migrate;

import io.keyward.codec.migration.MigrationProgress;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Resource;
import io.keyward.engine.SiteId;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.Component;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/// Has everything that is stored written again. Who does the work is the admin's choice; when it
/// begins, counts and ends is decided elsewhere and is the same for all.
public sealed interface Migrator extends AutoCloseable permits OwnMigrator, DelegatedMigrator {
  /// The migrators there are, by the word for them in the configuration.
  enum Kind {
    OURS("keyward", Optional.empty()),
    IN_TREE("storagemigration.k8s.io", Optional.of(DelegatedMigrator.Target.IN_TREE)),
    STORAGE_VERSION_MIGRATOR(
        "migration.k8s.io", Optional.of(DelegatedMigrator.Target.STORAGE_VERSION_MIGRATOR));

    private final String word;
    private final Optional<DelegatedMigrator.Target> delegate;

    Kind(String word, Optional<DelegatedMigrator.Target> delegate) {
      this.word = word;
      this.delegate = delegate;
    }

    /// Who else does it.
    public Optional<DelegatedMigrator.Target> delegate() {
      return delegate;
    }

    public String word() {
      return word;
    }
  }

  /// A migrator with the credentials of the caller.
  static Migrator of(Kind kind, Api api, InstantSource clock, Consumer<Component> onChange) {
    return of(kind, api, MigratorAccount.sameAs(api), clock, onChange);
  }

  /// A migrator that lists and updates objects as the service account [MigratorAccount#NAME].
  ///
  /// @param home the namespace of the account
  static Migrator of(
      Kind kind, Api api, String home, InstantSource clock, Consumer<Component> onChange) {
    return of(kind, api, MigratorAccount.in(home, api), clock, onChange);
  }

  private static Migrator of(
      Kind kind,
      Api api,
      MigratorAccount account,
      InstantSource clock,
      Consumer<Component> onChange) {
    return kind.delegate().isPresent()
        ? new DelegatedMigrator(api, kind.delegate().orElseThrow(), clock)
        : new OwnMigrator(api, account, clock, onChange);
  }

  /// What is written down. Reads only.
  SortedMap<Resource, MigrationRecord> look(Reads reads, Component component);

  /// Works on what is written down as running.
  void tend(Component component, SortedMap<Resource, MigrationRecord> records);

  /// Writes a migration down, in place of the one before.
  void start(Component component, MigrationDecision.Start start, Optional<MigrationRecord> before);

  /// One resource of one site.
  record Work(SiteId site, Resource resource) {}

  /// How far the migrations are that this process works on.
  Map<Work, MigrationProgress> running();

  /// Leaves what is under way to whoever tends to it next, who may be this one again.
  void rest();

  @Override
  default void close() {
    rest();
  }
}
