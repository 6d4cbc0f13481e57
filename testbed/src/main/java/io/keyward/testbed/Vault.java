package io.keyward.testbed;

import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.Ports;
import io.keyward.testbed.process.TestbedException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// A Vault in development mode: unsealed, in memory, and empty again after every start.
public final class Vault extends TestServer {
  private final Path directory;
  private final ServerBinaries binaries;
  private final boolean tls;
  private final String rootToken = UUID.randomUUID().toString();
  private int port;

  private Vault(Path directory, ServerBinaries binaries, boolean tls) {
    super("vault");
    this.directory = ControlPlaneHome.createPrivate(directory.toAbsolutePath().normalize());
    this.binaries = binaries;
    this.tls = tls;
    choosePorts();
  }

  /// Returns when it is ready.
  public static Vault start(Path directory, ServerBinaries binaries, boolean tls) {
    var vault = new Vault(directory, binaries, tls);
    boolean up = false;
    try {
      vault.startReady();
      up = true;
      return vault;
    } finally {
      if (!up) {
        vault.close();
      }
    }
  }

  public URI url() {
    return URI.create((tls ? "https" : "http") + "://127.0.0.1:" + port);
  }

  public String rootToken() {
    return rootToken;
  }

  /// Present with TLS. Vault makes it at its start.
  public Optional<Path> caCertificate() {
    return tls ? Optional.of(directory.resolve("tls").resolve("vault-ca.pem")) : Optional.empty();
  }

  /// As root. The caller closes it.
  public ApiClient client() {
    return new ApiClient(url(), caCertificate(), Map.of("X-Vault-Token", rootToken));
  }

  /// Mounts the transit engine, which encrypts and keeps its keys to itself.
  public void enableTransit() {
    try (ApiClient client = client()) {
      Answer answer = client.post("/v1/sys/mounts/transit", "{\"type\":\"transit\"}");
      if (!answer.isOk()) {
        throw new TestbedException("Vault refused to mount transit", answer.body());
      }
    }
  }

  @Override
  public URI readyEndpoint() {
    return url().resolve("/v1/sys/health");
  }

  @Override
  public boolean isReady() {
    if (caCertificate().filter(file -> !file.toFile().exists()).isPresent()) {
      return false;
    }
    try (ApiClient client = client()) {
      return Readiness.saysYes(client, readyEndpoint().getPath());
    }
  }

  @Override
  void choosePorts() {
    port = Ports.free();
  }

  @Override
  Launch launch() {
    List<String> command = new ArrayList<>();
    command.add(binaries.ensure(ServerBinary.VAULT).toString());
    command.addAll(List.of("server", "-dev", "-dev-no-store-token"));
    command.add("-dev-listen-address=127.0.0.1:" + port);
    if (tls) {
      Path certificates = ControlPlaneHome.createPrivate(directory.resolve("tls"));
      command.addAll(List.of("-dev-tls", "-dev-tls-cert-dir=" + certificates));
    }
    return new Launch(
        name(),
        command,
        // By the environment, where other users cannot read it.
        Map.of("VAULT_DEV_ROOT_TOKEN_ID", rootToken, "HOME", directory.toString()),
        directory.resolve("vault.log"),
        Launch.Lifetime.WITH_JVM);
  }
}
