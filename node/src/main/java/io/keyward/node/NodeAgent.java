package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kube.Api;
import io.keyward.kube.ClusterFailure;
import io.keyward.kube.Component;
import io.keyward.kube.StatusBody;
import io.keyward.kube.Workload;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.StreamSupport;

/// Carries revisions onto one node, one step at a time, and reports what the node runs.
///
/// Every step starts from what is on disk and what the API server says, so it may be killed and
/// started again at any moment.
public final class NodeAgent {
  private static final Logger LOG = System.getLogger(NodeAgent.class.getName());

  /// Metrics of an API server are large; while nothing changes they are read less often.
  private static final Duration REST = Duration.ofSeconds(2);

  private static final Duration AGAIN = Duration.ofSeconds(30);

  private final Api cluster;
  private final LocalServer server;
  private final Component component;
  private final NodeSettings settings;
  private final Host host;
  private final StatusBody status;
  private final PluginReporter plugins;
  private final Stopwatch looked;
  private final Stopwatch restarted;
  private final Stopwatch told;
  private final FollowedStatus followed;
  private LocalServer.State known = LocalServer.State.SILENT;
  private Optional<Instant> lastStart = Optional.empty();
  private long arrivedBefore;
  private long failed;
  private String failure = "";
  private String reported = "";

  /// An agent for one API server, by the clock of this process.
  public NodeAgent(
      Api cluster, Api local, Component component, NodeSettings settings, PluginObserver observer) {
    this(cluster, local, component, settings, observer, System::nanoTime);
  }

  /// An agent for one API server.
  ///
  /// @param cluster any API server of the cluster
  /// @param local the API server of this node
  /// @param observer is told how plugins answer
  /// @param nanos by which patience is measured
  NodeAgent(
      Api cluster,
      Api local,
      Component component,
      NodeSettings settings,
      PluginObserver observer,
      LongSupplier nanos) {
    this.looked = new Stopwatch(nanos);
    this.restarted = new Stopwatch(nanos);
    this.told = new Stopwatch(nanos);
    this.followed = new FollowedStatus(cluster, component, nanos);
    this.cluster = cluster;
    this.server = new LocalServer(local);
    this.component = component;
    this.settings = settings;
    this.host =
        switch (settings.place()) {
          case Place.Command command -> new CommandHost(command);
          case Place.StaticPod pod -> new StaticPodHost(component.name(), pod);
        };
    this.status = new StatusBody(component);
    this.plugins =
        new PluginReporter(
            cluster, component, settings.node(), settings.reportInterval(), host, observer);
  }

  /// Until interrupted.
  public void run() throws InterruptedException {
    followed.run(this::step);
  }

  void step() throws InterruptedException {
    followed.step(this::step);
  }

  private void step(JsonNode seen, boolean anew) throws InterruptedException {
    if (reported.isEmpty()) {
      // A disk that is new holds less than what was reported of the one before.
      arrivedBefore = Math.min(own(seen, "currentRevision"), host.revision());
    }
    if (own(seen, "targetRevision") > host.revision()) {
      bring(own(seen, "targetRevision"));
      restart();
    }
    LocalServer.State state = look();
    if (isForgotten(state)) {
      restart();
    }
    report(state, isListed(seen));
    if (anew) {
      plugins.answerPreflight();
    }
    if (host.revision() > 0 && state.runs(host)) {
      plugins.report(seen);
    }
  }

  private LocalServer.State look() {
    boolean settled = known.ready() && known.runs(host) && arrivedBefore == host.revision();
    if (!settled || !looked.runs() || looked.isPast(REST)) {
      looked.start();
      known = server.look();
    }
    return known;
  }

  private long own(JsonNode seen, String member) {
    for (JsonNode one : seen.path("nodeStatuses")) {
      if (one.path("nodeName").asText("").equals(settings.node())) {
        return one.path(member).asLong(0);
      }
    }
    return 0;
  }

  private boolean isListed(JsonNode seen) {
    return StreamSupport.stream(seen.path("nodeStatuses").spliterator(), false)
        .anyMatch(one -> one.path("nodeName").asText("").equals(settings.node()));
  }

  private void bring(long revision) {
    JsonNode secret = part(component.secrets() + "/" + component.revision(revision));
    Map<String, byte[]> config = new TreeMap<>();
    secret
        .path("data")
        .properties()
        .forEach(
            one -> config.put(one.getKey(), Base64.getDecoder().decode(one.getValue().asText(""))));
    if (config.getOrDefault("encryption-config", new byte[0]).length == 0) {
      throw new ClusterFailure("revision " + revision + " holds no configuration");
    }
    Optional<String> manifest =
        component.workload() == Workload.STATIC_POD
            ? Optional.of(
                part(component.configMaps() + "/" + component.podRevision(revision))
                    .path("data")
                    .path(Component.POD_KEY)
                    .asText(""))
            : Optional.empty();
    host.write(revision, config, manifest);
    LOG.log(Level.INFO, "revision " + revision + " is on this node");
  }

  private JsonNode part(String path) {
    return cluster.get(path).orElseThrow(() -> new ClusterFailure(path + " is not there yet"));
  }

  /// It runs, but since before the files were written, and nobody restarts it yet.
  private boolean isForgotten(LocalServer.State state) {
    boolean old = state.startedAt().isPresent() && !state.runs(host);
    return old
        && (!restarted.runs() || (!host.restartsItself() && restarted.isPast(settings.patience())));
  }

  private void restart() throws InterruptedException {
    restarted.start();
    host.restart(settings.patience()).ifPresent(this::fail);
  }

  private void fail(String why) {
    failed = host.revision();
    failure = why;
    LOG.log(Level.WARNING, why);
  }

  private void report(LocalServer.State state, boolean listed) {
    long revision = host.revision();
    boolean arrived = state.runs(host) && state.ready();
    if (arrived) {
      restarted.stop();
      failed = 0;
    } else if (restarted.isPast(settings.patience()) && failed != revision) {
      fail("the API server is not ready with revision " + revision);
    }
    // Between two starts the last one stands. A node without any counts as one without a pod.
    lastStart = state.startedAt().or(() -> lastStart);
    ObjectNode body = status.fresh();
    ObjectNode one = status.part(body).putArray("nodeStatuses").addObject();
    one.put("nodeName", settings.node()).put("ready", state.ready());
    // What was reported before stands until the new revision has arrived.
    one.put("currentRevision", arrived ? revision : arrivedBefore);
    lastStart.ifPresent(
        at -> one.put("startedTime", at.truncatedTo(ChronoUnit.SECONDS).toString()));
    if (failed > 0) {
      one.put("lastFailedRevision", failed).put("lastFailedReason", "NotReady");
      one.putArray("lastFailedRevisionErrors").add(failure);
    }
    // A node that left and came back is told of again, at leisure: it may have left for good.
    if (!body.toString().equals(reported) || (!listed && told.isPast(AGAIN))) {
      cluster.apply(
          component.operatorPath() + "/status", "keyward-node-agent-" + settings.node(), body);
      reported = body.toString();
      told.start();
      if (arrivedBefore != one.path("currentRevision").asLong()) {
        arrivedBefore = one.path("currentRevision").asLong();
        plugins.hurry();
      }
    }
  }
}
