package io.keyward.kube.install;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Conflict;
import io.keyward.kube.component.Component;
import io.keyward.kube.install.InstallPlan.Mode;
import io.keyward.kube.install.InstallPlan.Part;
import io.keyward.kube.migrate.Migrator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Creates the objects of an installation, and brings those up to date that belong to Keyward.
public final class Installer {
  private static final String MANAGER = "keyward-install";
  private static final Duration SERVED = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Api api;

  public Installer(Api api) {
    this.api = api;
  }

  /// Installs everything that operator and node agents need, but not these programs.
  ///
  /// @return the objects that were created
  public List<String> install(List<Component> components, Migrator.Kind migrator) {
    var created = new ArrayList<String>();
    install(
        InstallPlan.of(components, migrator, Optional.empty()),
        line -> {
          if (line.endsWith(" created")) {
            created.add(line.substring(0, line.lastIndexOf(' ')));
          }
        });
    return List.copyOf(created);
  }

  /// Installs a plan.
  ///
  /// @param log gets one line for each object, as `kubectl apply` prints it
  public void install(InstallPlan plan, Consumer<String> log) {
    for (Part part : plan.parts()) {
      // An object that was created although nobody answered is found by the next try.
      log.accept(part.name() + " " + UntilAnswered.get(() -> install(part)));
    }
  }

  private String install(Part part) {
    if (part.mode() == Mode.APPLY_IF_SERVED && !isServed(part)) {
      return "skipped: this API server does not serve its kind";
    }
    return find(part).map(before -> update(part, before)).orElseGet(() -> create(part));
  }

  private boolean isServed(Part part) {
    return api.get(ObjectPath.collection(part.object())).isPresent();
  }

  private String create(Part part) {
    if (part.mode() == Mode.KEEP) {
      api.create(ObjectPath.collection(part.object()), part.object());
    } else {
      api.apply(part.path(), MANAGER, part.object());
    }
    return "created";
  }

  private String update(Part part, ObjectNode before) {
    if (part.mode() == Mode.KEEP) {
      return "unchanged";
    }
    ObjectNode after = api.apply(part.path(), MANAGER, part.object());
    return ObjectMeta.generation(after).equals(ObjectMeta.generation(before))
        ? "unchanged"
        : "configured";
  }

  /// A definition that was created a moment ago is not served yet.
  private Optional<ObjectNode> find(Part part) {
    String all = ObjectPath.collection(part.object());
    for (long waited = 0; waited < SERVED.toMillis(); waited += PAUSE.toMillis()) {
      Optional<ObjectNode> found = api.get(part.path());
      if (found.isPresent()
          || !ObjectMeta.namespace(part.object()).isEmpty()
          || api.get(all).isPresent()) {
        return found;
      }
      pause();
    }
    throw new ClusterFailure("the API server does not serve " + all);
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterFailure("interrupted", e);
    }
  }

  /// Deletes the objects of a plan, the last first.
  ///
  /// @param log gets one line for each object that existed
  public void uninstall(InstallPlan plan, Consumer<String> log) {
    for (Part part : plan.parts().reversed()) {
      delete(part.path(), log);
    }
  }

  void delete(String path, Consumer<String> log) {
    api.get(path)
        .ifPresent(found -> {
          try {
            api.delete(path, found);
          } catch (Conflict _) {
            // A controller wrote its status in between. What is to go, goes in any version.
            api.get(path).ifPresent(now -> api.delete(path, now));
          }
          log.accept(ObjectPath.name(found) + " deleted");
        });
  }
}
