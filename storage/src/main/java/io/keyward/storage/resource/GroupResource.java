package io.keyward.storage.resource;

/// A resource of the API, as `secrets` or `deployments.apps`. The core group is empty.
public record GroupResource(String resource, String group) implements Comparable<GroupResource> {
  public static final String ANY = "*";

  /// The first dot parts the two, as Kubernetes does it.
  public static GroupResource parse(String text) {
    int dot = text.indexOf('.');
    return dot < 0
        ? new GroupResource(text, "")
        : new GroupResource(text.substring(0, dot), text.substring(dot + 1));
  }

  /// `*.<group>` of this resource's group.
  public GroupResource anyInGroup() {
    return new GroupResource(ANY, group);
  }

  public static GroupResource anyInAnyGroup() {
    return new GroupResource(ANY, ANY);
  }

  public boolean isAnyInAnyGroup() {
    return resource.equals(ANY) && group.equals(ANY);
  }

  @Override
  public int compareTo(GroupResource that) {
    return toString().compareTo(that.toString());
  }

  /// As one writes it in a configuration: all of the core group is `*.`.
  @Override
  public String toString() {
    return group.isEmpty() && !resource.equals(ANY) ? resource : resource + "." + group;
  }
}
