package io.keyward.node.agent;

import io.keyward.core.rollout.node.NodeFailure;
import io.keyward.node.host.Installed;
import java.util.Optional;

/// What an agent says of its node, beside what its API server says of itself.
///
/// @param arrived the newest revision that was seen to run here
/// @param existing an encryption configuration that was not written by an agent, in words
/// @param installed the revision in its files; absent where there is none
public record NodeReport(
    long arrived,
    Optional<NodeFailure> failure,
    Optional<String> existing,
    Optional<Installed> installed) {}
