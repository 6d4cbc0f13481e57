package io.keyward.core.model.kms;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A Secret or a ConfigMap that a KMS configuration refers to, and the data keys that its plugin
/// needs. Other data keys of the object are not copied.
public record ReferencedObject(Kind kind, String name, List<String> dataKeys) {
  private static final String LOGIN = "authentication.type";

  /// The data key of the Secret in `authentication.secret.name`, by the authentication type.
  private static final Map<String, String> CREDENTIALS =
      Map.of(
          "AccessKey", "credentials",
          "ClientSecret", "client-secret",
          "ServiceAccountKey", "service-account.json",
          "APIKey", "api-key",
          "PIN", "pin");

  public enum Kind {
    SECRET("secret", "secrets"),
    CONFIG_MAP("configmap", "configmaps");

    private final String word;
    private final String plural;

    Kind(String word, String plural) {
      this.word = word;
      this.plural = plural;
    }

    /// As messages name it.
    public String word() {
      return word;
    }

    /// As paths of the API name it.
    public String plural() {
      return plural;
    }
  }

  public ReferencedObject {
    dataKeys = List.copyOf(dataKeys);
  }

  /// Everything that a configuration refers to.
  public static List<ReferencedObject> of(ProviderSpec spec) {
    Map<String, String> fields = spec.fields();
    var all = new ArrayList<ReferencedObject>();
    add(
        all,
        Kind.SECRET,
        fields.get("authentication.appRole.secret.name"),
        List.of("role-id", "secret-id"));
    String credential = CREDENTIALS.get(fields.getOrDefault(LOGIN, ""));
    if (credential != null) {
      add(all, Kind.SECRET, fields.get("authentication.secret.name"), List.of(credential));
    }
    add(all, Kind.CONFIG_MAP, fields.get("tls.caBundle.name"), List.of("ca-bundle.crt"));
    return List.copyOf(all);
  }

  private static void add(
      List<ReferencedObject> all, Kind kind, @Nullable String name, List<String> dataKeys) {
    if (name != null && !name.isEmpty()) {
      all.add(new ReferencedObject(kind, name, dataKeys));
    }
  }
}
