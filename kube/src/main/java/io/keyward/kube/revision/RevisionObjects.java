package io.keyward.kube.revision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.Labels;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.rollout.RevisionKeeper;
import io.keyward.core.rollout.RevisionNumber;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Conflict;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.Component;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The numbered objects of revisions. Only what a crash left of a revision that was never complete
/// is written over: nodes may run any other, and what lacks our label is somebody else's.
public final class RevisionObjects {
  private static final String OF = "keyward.io/revision-of";
  private static final String READY = "operator.openshift.io/revision-ready";

  private final Api api;
  private final Component component;

  public RevisionObjects(Api api, Component component) {
    this.api = api;
    this.component = component;
  }

  /// The Secrets of our revisions, by their numbers.
  static SortedMap<Long, ObjectNode> existing(Reads reads, Component component) {
    var existing = new TreeMap<Long, ObjectNode>();
    for (ObjectNode one : reads.list(component.secrets(), label(component))) {
      RevisionNumber.after(Component.REVISION_PREFIX, ObjectMeta.name(one))
          .ifPresent(number -> existing.put(number, one));
    }
    return existing;
  }

  /// What all parts of revisions bear.
  public static Labels label(Component component) {
    return Labels.of(OF, component.name());
  }

  /// Of these numbers those that must not be used again.
  static SortedSet<Long> taken(
      Reads reads, Component component, SortedMap<Long, ObjectNode> above) {
    var taken = new TreeSet<Long>();
    above.forEach((number, secret) -> {
      boolean isLeftover =
          reads
              .get(component.configMaps() + "/" + component.revisionStatus(number))
              .filter(status ->
                  label(component).match(status) && !isReady(status) && owns(status, secret))
              .isPresent();
      if (!isLeftover) {
        taken.add(number);
      }
    });
    return taken;
  }

  /// The object that owns the parts of a revision, and says that they are not complete yet.
  public ObjectNode begin(long number) {
    ObjectNode wanted = named("ConfigMap", component.revisionStatus(number));
    wanted.withObject("/metadata").putObject("annotations").put(READY, "false");
    wanted.putObject("data").put("revision", Long.toString(number));
    Optional<ObjectNode> left = left(component.configMaps(), wanted);
    if (left.filter(RevisionObjects::isReady).isPresent()) {
      if (api.get(component.secrets() + "/" + component.revision(number)).isEmpty()) {
        throw new ClusterFailure(
            show("ConfigMap", component.revisionStatus(number))
                + " is of a revision whose Secret is gone; delete it");
      }
      throw new Conflict("revision " + number);
    }
    return write(component.configMaps(), wanted, left);
  }

  /// A part of a revision, as it was stored. Looked for before the owner is asked for: if somebody
  /// else began the same revision after that, either this write fails, or theirs goes over it.
  ObjectNode put(String all, ObjectNode wanted, ObjectNode owner) {
    Optional<ObjectNode> left = left(all, wanted);
    Optional<ObjectNode> owned = api.get(component.configMaps() + "/" + ObjectMeta.name(owner));
    boolean isBegun =
        owned.map(ObjectMeta::version).equals(Optional.of(ObjectMeta.version(owner)))
            && left.filter(one -> !owns(owner, one)).isEmpty();
    if (!isBegun) {
      throw new Conflict(show(wanted));
    }
    return write(all, wanted, left);
  }

  void finish(ObjectNode owner) {
    ObjectNode ready = owner.deepCopy();
    ready.withObject("/metadata").withObject("annotations").put(READY, "true");
    api.replace(component.configMaps() + "/" + ObjectMeta.name(owner), ready);
  }

  ObjectNode part(String kind, String name, JsonNode owner) {
    ObjectNode json = named(kind, name);
    json.withObject("/metadata")
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", "ConfigMap")
        .put("name", ObjectMeta.name(owner))
        .put("uid", ObjectMeta.uid(owner));
    return json;
  }

  private ObjectNode named(String kind, String name) {
    ObjectNode json = ObjectMeta.fresh("v1", kind, name);
    json.withObject("/metadata").putObject("labels").put(OF, component.name());
    return json;
  }

  /// What is there under this name.
  private Optional<ObjectNode> left(String all, ObjectNode wanted) {
    Optional<ObjectNode> left = api.get(all + "/" + ObjectMeta.name(wanted));
    if (left.filter(one -> !isOurs(one)).isPresent()) {
      throw new ClusterFailure(
          show(wanted)
              + " was not created by Keyward and blocks a new revision: it lacks the label "
              + OF
              + "="
              + component.name()
              + "; rename or delete it");
    }
    return left;
  }

  private ObjectNode write(String all, ObjectNode wanted, Optional<ObjectNode> left) {
    if (left.isEmpty()) {
      return api.create(all, wanted);
    }
    wanted.withObject("/metadata").put("resourceVersion", ObjectMeta.version(left.orElseThrow()));
    return api.replace(all + "/" + ObjectMeta.name(wanted), wanted);
  }

  /// What a crash leaves here goes with the next revision.
  void prune(long latest, List<Revisions.Node> instances, Collection<Long> installed) {
    for (long old :
        RevisionKeeper.needless(existing(api, component).keySet(), latest, instances, installed)) {
      remove(component.configMaps() + "/" + component.podRevision(old));
      remove(component.configMaps() + "/" + component.revisionStatus(old));
      // Last: by it the next round would find what is left.
      remove(component.secrets() + "/" + component.revision(old));
    }
  }

  private void remove(String path) {
    api.get(path).filter(this::isOurs).ifPresent(found -> api.delete(path, found));
  }

  private boolean isOurs(JsonNode json) {
    return label(component).match(json);
  }

  private static boolean isReady(JsonNode status) {
    return !ObjectMeta.annotation(status, READY).equals("false");
  }

  private static boolean owns(JsonNode owner, JsonNode part) {
    return ObjectMeta.ownerUid(part).equals(ObjectMeta.uid(owner));
  }

  private String show(JsonNode wanted) {
    return show(ObjectMeta.kind(wanted), ObjectMeta.name(wanted));
  }

  private String show(String kind, String name) {
    return kind + " " + component.namespace() + "/" + name;
  }
}
