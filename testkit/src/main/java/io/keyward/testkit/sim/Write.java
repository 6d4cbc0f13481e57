package io.keyward.testkit.sim;

/// A request that reaches the API server of the cluster. False where it is refused, because its
/// object is not what the operator read. What it wrote takes the place of what was read.
@FunctionalInterface
interface Write {
  boolean apply(OperatorReading read);
}
