package io.keyward.etcd.mvcc;

/// The place of one change in etcd's history. `sub` counts within one transaction.
public record Revision(long main, long sub) implements Comparable<Revision> {
  @Override
  public int compareTo(Revision that) {
    int byMain = Long.compare(main, that.main);
    return byMain != 0 ? byMain : Long.compare(sub, that.sub);
  }
}
