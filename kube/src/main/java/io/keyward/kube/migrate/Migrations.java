package io.keyward.kube.migrate;

import io.keyward.codec.migration.MigrationRecord;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.core.act.Act;
import io.keyward.core.model.Resource;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.Conflict;
import io.keyward.kube.component.Component;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;

/// The storage migrations of one API server, and the migrator that carries them out.
public final class Migrations {
  private final Api api;
  private final Component component;
  private final Migrator migrator;
  private final SortedMap<Resource, MigrationRecord> records;

  public Migrations(
      Api api,
      Component component,
      Migrator migrator,
      SortedMap<Resource, MigrationRecord> records) {
    this.api = api;
    this.component = component;
    this.migrator = migrator;
    this.records = records;
  }

  public Collection<MigrationRecord> records() {
    return records.values();
  }

  public void apply(Act.OnMigrations act) {
    switch (act) {
      case Act.ResumeMigrations _ -> migrator.tend(component, records);
      case Act.PauseMigrations _ -> migrator.tend(component, Collections.emptySortedMap());
      case Act.StartMigration(var start) ->
          migrator.start(component, start, Optional.ofNullable(records.get(start.resource())));
      case Act.AbortMigration(var resource) -> {
        MigrationRecord before = records.get(resource);
        if (before != null) {
          api.delete(before.path(), before.json());
        }
      }
    }
  }

  /// Makes sure that the migration that was observed is still there.
  ///
  /// @throws Conflict if it is gone or was modified
  public void requireProof(Resource resource) {
    MigrationRecord proof = records.get(resource);
    boolean isThere =
        proof != null
            && api.get(proof.path())
                .filter(now -> ObjectMeta.version(now).equals(proof.version()))
                .isPresent();
    if (!isThere) {
      throw new Conflict("the migration of " + resource);
    }
  }
}
