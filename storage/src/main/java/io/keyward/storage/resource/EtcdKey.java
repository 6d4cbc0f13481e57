package io.keyward.storage.resource;

import io.keyward.etcd.bytes.ByteView;
import java.util.List;
import java.util.Optional;

/// What an etcd key says: which object of which resource it holds. Every byte string gives one.
public record EtcdKey(Kind kind, GroupResource resource, String namespace, String name) {
  /// Who writes the value, and whether a provider ever sees it.
  public enum Kind {
    /// An object of the API.
    OBJECT,
    /// Kubernetes' own book-keeping: never encrypted, whatever the configuration says.
    INTERNAL,
    /// Outside every known prefix.
    FOREIGN
  }

  private static final List<String> PREFIXES =
      List.of("/registry/", "/kubernetes.io/", "/openshift.io/");

  private static final GroupResource NONE = new GroupResource("", "");

  public static EtcdKey parse(ByteView key) {
    return parse(key, Optional.empty());
  }

  /// `prefix` is what `--etcd-prefix` says where it is none of the usual ones.
  public static EtcdKey parse(ByteView key, Optional<String> prefix) {
    String text = key.utf8().orElse("");
    if (text.equals("compact_rev_key")) {
      return new EtcdKey(Kind.INTERNAL, NONE, "", text);
    }
    return prefix
        .map(EtcdKey::normalised)
        .filter(text::startsWith)
        .or(() -> PREFIXES.stream().filter(text::startsWith).findFirst())
        .map(known -> below(known, text.substring(known.length())))
        .orElseGet(() -> new EtcdKey(Kind.FOREIGN, NONE, "", text));
  }

  private static String normalised(String prefix) {
    String bare = prefix.replaceAll("^/+|/+$", "");
    return bare.isEmpty() ? "/" : "/" + bare + "/";
  }

  private static EtcdKey below(String prefix, String path) {
    List<String> segments = List.of(path.split("/", -1));
    return ResourceTable.isInternal(segments.getFirst())
        ? new EtcdKey(Kind.INTERNAL, NONE, "", path)
        : object(ResourceTable.find(prefix, segments), segments);
  }

  private static EtcdKey object(ResourceTable.Found found, List<String> segments) {
    List<String> rest =
        segments.subList(Math.min(found.segments(), segments.size()), segments.size());
    return switch (rest.size()) {
      case 0 -> new EtcdKey(Kind.OBJECT, found.resource(), "", "");
      case 1 -> new EtcdKey(Kind.OBJECT, found.resource(), "", rest.getFirst());
      default ->
          new EtcdKey(
              Kind.OBJECT,
              found.resource(),
              rest.getFirst(),
              String.join("/", rest.subList(1, rest.size())));
    };
  }

  public boolean isObject() {
    return kind == Kind.OBJECT;
  }
}
