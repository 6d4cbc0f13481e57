package io.keyward.bench.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.FormatMethod;
import com.sun.management.OperatingSystemMXBean;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.keyward.codec.object.Labels;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.kube.client.Api;
import io.keyward.testbed.ControlPlane;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What the operator's requests cost through [Api] and through the typed client of the same
/// library. One process measures one of them: memory and loaded classes are those of a process.
///
/// Arguments: `api` or `typed`, rounds, and the kubeconfig of a running API server. Or `fill`:
/// starts that API server, prints its kubeconfig, and stops it when stdin ends.
public final class CompareClients {
  private static final String COLLECTION = "/api/v1/namespaces/default/configmaps";
  private static final int OBJECTS = 200;
  private static final int WARM = 300;
  private static final ObjectMapper JSON = new ObjectMapper();

  private CompareClients() {}

  /// The operator's usual turn: read one object, read a list, write one object.
  private interface Requests {
    void get(int number);

    int list();

    void apply(int number, int round);
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("fill")) {
      try (var plane =
          ControlPlane.builder(Files.createTempDirectory("clients").resolve("plane")).start()) {
        fill(plane.kubeconfig(0));
        System.out.println(plane.kubeconfig(0));
        System.out.flush();
        // Until the script closes the pipe.
        System.in.transferTo(OutputStream.nullOutputStream());
      }
      return;
    }
    int rounds = Integer.parseInt(arguments[1]);
    try (var api = Api.connect(Optional.of(Path.of(arguments[2])), Optional.empty())) {
      Requests requests = arguments[0].equals("api") ? plain(api) : typed(api.client());
      System.out.println(JSON.writeValueAsString(measure(requests, rounds)));
    }
  }

  private static void fill(Path kubeconfig) {
    try (var api = Api.connect(Optional.of(kubeconfig), Optional.empty())) {
      for (int i = 0; i < OBJECTS; i++) {
        ObjectNode one = ObjectMeta.fresh("v1", "ConfigMap", "object-" + i);
        one.putObject("data").put("text", "x".repeat(2_000));
        api.create(COLLECTION, one);
      }
    }
  }

  private static Map<String, Object> measure(Requests requests, int rounds) throws IOException {
    for (int i = 0; i < WARM; i++) {
      round(requests, i);
    }
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = system.getProcessCpuTime();
    var times = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      long begun = System.nanoTime();
      round(requests, WARM + i);
      times[i] = (System.nanoTime() - begun) / 1e6;
    }
    double perRound = (system.getProcessCpuTime() - cpu) / 1e6 / rounds;
    Arrays.sort(times);
    System.gc();
    var result = new TreeMap<String, Object>();
    result.put("p50ms", times[rounds / 2]);
    result.put("cpuMs", perRound);
    result.put("residentMb", resident());
    result.put("classes", ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
    say("%s", result);
    return result;
  }

  private static void round(Requests requests, int round) {
    requests.get(round % OBJECTS);
    if (requests.list() < OBJECTS) {
      throw new IllegalStateException("the list is too short");
    }
    requests.apply(round % OBJECTS, round);
  }

  private static Requests plain(Api api) {
    return new Requests() {
      @Override
      public void get(int number) {
        var _ = api.get(COLLECTION + "/object-" + number).orElseThrow();
      }

      @Override
      public int list() {
        return api.list(COLLECTION, Labels.ANY).size();
      }

      @Override
      public void apply(int number, int round) {
        ObjectNode one = ObjectMeta.fresh("v1", "ConfigMap", "object-" + number);
        one.putObject("data").put("round", Integer.toString(round));
        var _ = api.apply(COLLECTION + "/object-" + number, "bench", one);
      }
    };
  }

  private static Requests typed(KubernetesClient client) {
    var objects = client.configMaps().inNamespace("default");
    return new Requests() {
      @Override
      public void get(int number) {
        var _ = objects.withName("object-" + number).require();
      }

      @Override
      public int list() {
        return objects.list().getItems().size();
      }

      @Override
      public void apply(int number, int round) {
        var one =
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("object-" + number)
                .endMetadata()
                .addToData("round", Integer.toString(round))
                .build();
        var _ = objects.resource(one).fieldManager("bench").forceConflicts().serverSideApply();
      }
    };
  }

  private static double resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * 1024 / 1e6)
        .findFirst()
        .orElseThrow();
  }

  @FormatMethod
  private static void say(String format, Object... values) {
    System.err.println(String.format(Locale.ROOT, format, values));
  }
}
