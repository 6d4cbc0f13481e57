/// The pure engine: what is known, what follows from it, and nothing that touches the world.
module io.keyward.core {
  requires static transitive org.jspecify;

  exports io.keyward.core.act;
  exports io.keyward.core.condition;
  exports io.keyward.core.event;
  exports io.keyward.core.health;
  exports io.keyward.core.key;
  exports io.keyward.core.layout;
  exports io.keyward.core.migration;
  exports io.keyward.core.model;
  exports io.keyward.core.model.key;
  exports io.keyward.core.model.kms;
  exports io.keyward.core.model.rollout;
  exports io.keyward.core.narrator;
  exports io.keyward.core.preflight;
  exports io.keyward.core.prune;
  exports io.keyward.core.rollout;
  exports io.keyward.core.rollout.manifest;
  exports io.keyward.core.rollout.node;
  exports io.keyward.core.rotation;
  exports io.keyward.core.sidecar;
  exports io.keyward.core.turn;
  exports io.keyward.core.view;
}
