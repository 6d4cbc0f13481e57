package io.keyward.testbed.kubeadm;

import io.keyward.testbed.process.TestbedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a machine needs so that containers run in nodes on it.
public final class ContainerHost {
  /// A program of each package shows whether the package is installed.
  private record Need(String program, String debianPackage) {}

  private static final List<Need> NEEDS =
      List.of(
          new Need("containerd", "containerd"),
          new Need("runc", "runc"),
          new Need("iptables", "iptables"),
          new Need("ip", "iproute2"),
          new Need("conntrack", "conntrack"),
          new Need("socat", "socat"),
          new Need("ethtool", "ethtool"),
          new Need("openssl", "openssl"),
          new Need("busybox", "busybox-static"),
          new Need("haproxy", "haproxy"));

  private static final String CNI_PACKAGE = "containernetworking-plugins";
  private static final Path CNI = Path.of("/usr/lib/cni/bridge");
  private static final Path CGROUP_V1 = Path.of("/sys/fs/cgroup/memory/cgroup.procs");

  private ContainerHost() {}

  /// Why containers cannot run here, in one sentence. Installs missing Debian packages first.
  public static Optional<String> problem() {
    if (!System.getProperty("user.name", "").equals("root")) {
      return Optional.of("Containers need root on this machine.");
    }
    if (!Files.exists(CGROUP_V1)) {
      return Optional.of(
          "Nodes in namespaces need the cgroup v1 hierarchy, which this machine does not have.");
    }
    if (!missing().isEmpty()) {
      install(missing());
    }
    List<String> still = missing();
    return still.isEmpty()
        ? Optional.empty()
        : Optional.of("The Debian packages " + String.join(", ", still) + " are missing.");
  }

  public static void require() {
    problem()
        .ifPresent(problem -> {
          throw new TestbedException(
              problem, "use the process cluster, which needs no containers: keyward dev up");
        });
  }

  private static List<String> missing() {
    return Stream.concat(
            NEEDS.stream().filter(need -> !isInstalled(need.program())).map(Need::debianPackage),
            Files.exists(CNI) ? Stream.empty() : Stream.of(CNI_PACKAGE))
        .toList();
  }

  private static boolean isInstalled(String program) {
    return Stream.of("/usr/sbin", "/usr/bin", "/sbin", "/bin")
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  private static void install(List<String> packages) {
    if (isInstalled("apt-get")) {
      var install =
          new StringBuilder("apt-get update && apt-get install -y --no-install-recommends");
      packages.forEach(one -> install.append(' ').append(one));
      // What it could not install is missing still, and is named then.
      var _ = Commands.exitCode(List.of("sh", "-c", install.toString()));
    }
  }
}
