package io.keyward.storage.object;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An object as another server takes it: without what the server that stored it had set by itself.
public final class ApplyForm {
  /// Owners are named by uid; with the old ones, the garbage collector would delete the object.
  private static final List<String> METADATA =
      List.of(
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "managedFields",
          "selfLink",
          "ownerReferences");

  private static final List<String> JOB_LABELS =
      List.of(
          "controller-uid",
          "job-name",
          "batch.kubernetes.io/controller-uid",
          "batch.kubernetes.io/job-name");

  private ApplyForm() {}

  /// Of an object in JSON form. The given one stays as it is.
  public static Map<String, @Nullable Object> of(Map<String, ? extends @Nullable Object> object) {
    Map<String, @Nullable Object> form = copy(object);
    edit(form, "metadata", metadata -> METADATA.forEach(metadata::remove));
    switch (form.get("apiVersion") + " " + form.get("kind")) {
      case "batch/v1 Job" -> job(form);
      case "v1 PersistentVolume" ->
          edit(
              form,
              "spec",
              spec ->
                  edit(
                      spec,
                      "claimRef",
                      claim -> List.of("uid", "resourceVersion").forEach(claim::remove)));
      case "apiextensions.k8s.io/v1beta1 CustomResourceDefinition" -> {
        form.put("apiVersion", "apiextensions.k8s.io/v1");
        form.remove("status");
        if (form.get("spec") instanceof Map<?, ?> spec) {
          form.put("spec", CrdForm.newer(copy(spec)));
        }
      }
      case "v1 Secret" ->
          // Of an account that is gone; the token controller would delete the secret.
          dropFrom(form, "metadata", "annotations", List.of("kubernetes.io/service-account.uid"));
      default -> {}
    }
    return Collections.unmodifiableMap(form);
  }

  /// The server makes a job's selector from the job's uid, and refuses one of another uid.
  private static void job(Map<String, @Nullable Object> form) {
    if (form.get("spec") instanceof Map<?, ?> spec
        && !Boolean.TRUE.equals(spec.get("manualSelector"))) {
      edit(
          form,
          "spec",
          own -> {
            own.remove("selector");
            edit(own, "template", template -> dropFrom(template, "metadata", "labels", JOB_LABELS));
          });
      dropFrom(form, "metadata", "labels", JOB_LABELS);
    }
  }

  private static void dropFrom(
      Map<String, @Nullable Object> parent, String outer, String inner, List<String> names) {
    edit(
        parent,
        outer,
        outerMap -> edit(outerMap, inner, innerMap -> names.forEach(innerMap::remove)));
  }

  private interface Edit {
    void apply(Map<String, @Nullable Object> map);
  }

  /// Replaces a map inside by an edited copy; without the map, nothing happens.
  private static void edit(Map<String, @Nullable Object> parent, String name, Edit edit) {
    if (parent.get(name) instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> changed = copy(map);
      edit.apply(changed);
      parent.put(name, changed);
    }
  }

  static Map<String, @Nullable Object> copy(Map<?, ? extends @Nullable Object> map) {
    var copy = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((key, value) -> copy.put(String.valueOf(key), value));
    return copy;
  }
}
