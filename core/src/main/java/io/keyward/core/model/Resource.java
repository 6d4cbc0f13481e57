package io.keyward.core.model;

/// A group and a resource name, as an EncryptionConfiguration names them.
///
/// Ordered by the canonical text, because configurations are sorted by it.
public record Resource(String group, String name) implements Comparable<Resource> {
  public Resource {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a resource has a name");
    }
  }

  /// Reads `secrets` or `routes.route.openshift.io`.
  public static Resource parse(String canonical) {
    int dot = canonical.indexOf('.');
    return dot < 0
        ? new Resource("", canonical)
        : new Resource(canonical.substring(dot + 1), canonical.substring(0, dot));
  }

  public String canonical() {
    return group.isEmpty() ? name : name + "." + group;
  }

  @Override
  public int compareTo(Resource other) {
    if (name.equals(other.name)) {
      return group.compareTo(other.group);
    }
    // The canonical texts decide; they are built only where the names alone cannot tell.
    return name.startsWith(other.name) || other.name.startsWith(name)
        ? canonical().compareTo(other.canonical())
        : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return canonical();
  }
}
