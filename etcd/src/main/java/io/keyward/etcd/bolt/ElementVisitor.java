package io.keyward.etcd.bolt;

/// Sees the elements of a bucket in key order.
@FunctionalInterface
public interface ElementVisitor {
  /// The element is only valid during the call.
  void visit(Element element);
}
