package io.keyward.kube;

import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Resource;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// Has everything that is stored written again. Who does the work is the admin's choice; when it
/// begins, counts and ends is decided elsewhere and is the same for all.
public sealed interface Migrator extends AutoCloseable permits OwnMigrator, DelegatedMigrator {
  /// The migrators there are, by the word for them in the configuration.
  enum Kind {
    OURS("keyward"),
    IN_TREE("storagemigration.k8s.io"),
    STORAGE_VERSION_MIGRATOR("migration.k8s.io");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  static Migrator of(Kind kind, Api api, InstantSource clock, Runnable onChange) {
    return switch (kind) {
      case OURS -> new OwnMigrator(api, clock, onChange);
      case IN_TREE -> new DelegatedMigrator(api, DelegatedMigrator.Target.IN_TREE);
      case STORAGE_VERSION_MIGRATOR ->
          new DelegatedMigrator(api, DelegatedMigrator.Target.STORAGE_VERSION_MIGRATOR);
    };
  }

  /// What is written down. Reads only.
  SortedMap<Resource, MigrationRecord> look(Component component);

  /// Works on what is written down as running.
  void tend(Component component, SortedMap<Resource, MigrationRecord> records);

  /// Writes a migration down, in place of the one before.
  void start(Component component, MigrationDecision.Start start, Optional<MigrationRecord> before);

  /// How far the migrations are that this process works on, by resource.
  Map<String, MigrationProgress> running();

  @Override
  void close();
}
