package io.keyward.kms.plugin.config;

/// One thing that is wrong with a configuration, and where: `plugin.yaml:7: unknown setting …`.
public record ConfigProblem(String place, String problem) {
  @Override
  public String toString() {
    return place + ": " + problem;
  }
}
