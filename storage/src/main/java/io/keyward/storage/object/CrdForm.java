package io.keyward.storage.object;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// API servers store CustomResourceDefinitions as `v1beta1`, and take them as `v1` only. What was
/// said once for all versions is said for each of them in the newer form.
final class CrdForm {
  private static final List<String> FOR_EACH_VERSION =
      List.of("subresources", "additionalPrinterColumns", "selectableFields");

  private CrdForm() {}

  /// Of a spec in the older form.
  static Map<String, @Nullable Object> newer(Map<String, @Nullable Object> older) {
    var spec = new LinkedHashMap<String, @Nullable Object>(older);
    var versions = new ArrayList<@Nullable Object>();
    if (older.get("versions") instanceof List<?> list) {
      list.forEach(version -> versions.add(version(version, older)));
    }
    spec.put("versions", versions);
    if (older.get("conversion") instanceof Map<?, ?> conversion) {
      spec.put("conversion", conversion(conversion));
    }
    spec.remove("version");
    spec.remove("validation");
    FOR_EACH_VERSION.forEach(spec::remove);
    return spec;
  }

  private static @Nullable Object version(
      @Nullable Object version, Map<String, @Nullable Object> spec) {
    if (!(version instanceof Map<?, ?> known)) {
      return version;
    }
    Map<String, @Nullable Object> form = ApplyForm.copy(known);
    if (spec.get("validation") != null) {
      form.putIfAbsent("schema", spec.get("validation"));
    }
    for (String name : FOR_EACH_VERSION) {
      if (spec.get(name) != null) {
        form.putIfAbsent(name, spec.get(name));
      }
    }
    if (form.get("additionalPrinterColumns") instanceof List<?> columns) {
      form.put("additionalPrinterColumns", columns.stream().map(CrdForm::column).toList());
    }
    return form;
  }

  private static Object column(Object column) {
    if (!(column instanceof Map<?, ?> known)) {
      return column;
    }
    Map<String, @Nullable Object> form = ApplyForm.copy(known);
    rename(form, "JSONPath", form, "jsonPath");
    return form;
  }

  private static Map<String, @Nullable Object> conversion(Map<?, ?> conversion) {
    Map<String, @Nullable Object> form = ApplyForm.copy(conversion);
    var webhook = new LinkedHashMap<String, @Nullable Object>();
    rename(form, "webhookClientConfig", webhook, "clientConfig");
    rename(form, "conversionReviewVersions", webhook, "conversionReviewVersions");
    if (webhook.containsKey("clientConfig")) {
      form.put("webhook", webhook);
    }
    return form;
  }

  private static void rename(
      Map<String, @Nullable Object> from,
      String name,
      Map<String, @Nullable Object> to,
      String newName) {
    if (from.containsKey(name)) {
      to.put(newName, from.remove(name));
    }
  }
}
