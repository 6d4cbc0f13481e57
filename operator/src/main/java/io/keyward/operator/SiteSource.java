package io.keyward.operator;

import io.keyward.codec.migration.MigrationProgress;
import io.keyward.engine.Engine;
import io.keyward.kube.migrate.Migrator;
import java.util.Map;

/// Where sites come from: the API servers of this cluster, or the hosted clusters it serves. The
/// operator works on the sites of all its sources in one engine.
public interface SiteSource extends AutoCloseable {
  /// This process became leader. Adds the sites that exist, and adds, removes and wakes sites from
  /// then on.
  void start(Engine engine);

  /// This process lost leadership. The engine has stopped; work that a site left running stops too.
  void stop();

  /// How far the storage migrations are that this process runs.
  Map<Migrator.Work, MigrationProgress> migrations();

  @Override
  void close();
}
