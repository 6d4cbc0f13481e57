package io.keyward.testbed.pod;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.testbed.process.Loop;
import io.keyward.testbed.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// Stands in for the kubelet of one node: runs what the manifests of its directory say, starts a
/// container again when it ends, and a pod anew when its manifest changes.
///
/// It knows no images, probes, limits, users or pod networks, and reports to nobody.
public final class PodRunner implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration BACK_OFF = Duration.ofSeconds(1);

  private final NodeRoot node;
  private final Map<String, Path> images;
  private final Path state;
  private final Map<String, Running> pods = new ConcurrentHashMap<>();
  private final Loop loop;

  /// Begins at once.
  ///
  /// @param images which program stands for which image
  /// @param state where containers and logs are kept
  public PodRunner(NodeRoot node, Map<String, Path> images, Path state) {
    this.node = node;
    this.images = Map.copyOf(images);
    this.state = state;
    this.loop = Loop.start("pods of " + node.name(), LOOK, this::step);
  }

  public NodeRoot node() {
    return node;
  }

  /// The process of a container that runs now.
  public Optional<ServerProcess> process(String container) {
    return pods.values().stream()
        .flatMap(pod -> pod.containers.stream())
        .filter(process -> process.name().equals(node.name() + "/" + container))
        .findFirst();
  }

  public Path log(String container) {
    return state.resolve(container + ".log");
  }

  private static final class Running {
    private final String text;
    private final Duration grace;
    private final List<ServerProcess> containers = new ArrayList<>();
    private Instant restartAfter = Instant.EPOCH;

    Running(String text, Duration grace) {
      this.text = text;
      this.grace = grace;
    }

    void stop() {
      containers.parallelStream().forEach(process -> process.stop(grace));
    }

    void revive() {
      for (ServerProcess process : containers) {
        if (!process.isRunning() && Instant.now().isAfter(restartAfter)) {
          restartAfter = Instant.now().plus(BACK_OFF);
          process.start();
        }
      }
    }
  }

  private void step() throws IOException {
    Map<String, String> wanted = manifests();
    for (String name : List.copyOf(pods.keySet())) {
      Running pod = pods.get(name);
      if (pod != null && !pod.text.equals(wanted.get(name))) {
        pod.stop();
        pods.remove(name);
      }
    }
    for (Map.Entry<String, String> one : wanted.entrySet()) {
      Running pod = pods.get(one.getKey());
      if (pod == null) {
        pods.put(one.getKey(), start(one.getValue()));
      } else {
        pod.revive();
      }
    }
  }

  private Map<String, String> manifests() throws IOException {
    var found = new TreeMap<String, String>();
    List<Path> files;
    try (Stream<Path> all = Files.list(node.manifests())) {
      files = all.filter(file -> !file.getFileName().toString().startsWith(".")).toList();
    }
    for (Path file : files) {
      found.put(file.getFileName().toString(), Files.readString(file));
    }
    return found;
  }

  private Running start(String text) {
    JsonNode pod = PodText.parse(text);
    var running =
        new Running(
            text, Duration.ofSeconds(pod.at("/spec/terminationGracePeriodSeconds").asLong(30)));
    for (JsonNode container : pod.at("/spec/containers")) {
      running.containers.add(
          ServerProcess.start(new ContainerLaunch(node, images, state, pod).of(container)));
    }
    return running;
  }

  /// Kills what runs: what a test leaves behind needs no polite end.
  @Override
  public void close() {
    loop.close();
    pods.values().forEach(pod -> pod.containers.forEach(ServerProcess::kill));
  }
}
