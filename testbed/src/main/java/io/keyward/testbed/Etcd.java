package io.keyward.testbed;

import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.Ports;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// One etcd that talks TLS only and knows its clients by their certificates.
public final class Etcd extends TestServer {
  private final ControlPlaneHome site;
  private final boolean durable;
  private int clientPort;
  private int peerPort;

  Etcd(ControlPlaneHome site, boolean durable) {
    super("etcd");
    this.site = site;
    this.durable = durable;
    choosePorts();
  }

  public URI url() {
    return URI.create("https://127.0.0.1:" + clientPort);
  }

  public Path ca() {
    return site.pki().etcdCa();
  }

  public KeyPairFiles client() {
    return site.pki().etcdClient();
  }

  public Path dataDirectory() {
    return site.directory().resolve("etcd");
  }

  /// Runs etcdctl against this etcd, and returns its output as it is: stored values are bytes.
  public byte[] ctl(String... arguments) {
    return ctlFed(new byte[0], arguments);
  }

  /// Also gives it `input` to read, for example a value that is not text.
  public byte[] ctlFed(byte[] input, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(site.binaries().ensure(ServerBinary.ETCDCTL).toString());
    command.addAll(List.of("--endpoints", url().toString(), "--cacert", ca().toString()));
    command.addAll(
        List.of("--cert", client().certificate().toString(), "--key", client().key().toString()));
    command.addAll(List.of(arguments));
    return run(command, input);
  }

  @Override
  public URI readyEndpoint() {
    return url().resolve("/health");
  }

  @Override
  public boolean isReady() {
    return Readiness.saysYes(readyEndpoint(), ca(), client());
  }

  @Override
  void choosePorts() {
    clientPort = Ports.free();
    peerPort = Ports.free();
  }

  @Override
  Launch launch() {
    ControlPlaneHome.createPrivate(dataDirectory());
    String peer = "https://127.0.0.1:" + peerPort;
    KeyPairFiles serving = site.pki().etcdServer();
    KeyPairFiles peering = site.pki().etcdPeer();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--name=keyward",
                "--data-dir=" + dataDirectory(),
                "--listen-client-urls=" + url(),
                "--advertise-client-urls=" + url(),
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=keyward=" + peer,
                "--cert-file=" + serving.certificate(),
                "--key-file=" + serving.key(),
                "--client-cert-auth",
                "--trusted-ca-file=" + ca(),
                "--peer-cert-file=" + peering.certificate(),
                "--peer-key-file=" + peering.key(),
                "--peer-client-cert-auth",
                "--peer-trusted-ca-file=" + ca()));
    if (!durable) {
      arguments.add("--unsafe-no-fsync");
    }
    return site.launch(name(), ServerBinary.ETCD, arguments);
  }

  private static byte[] run(List<String> command, byte[] input) {
    try {
      Process process = new ProcessBuilder(command).start();
      try (var stdin = process.getOutputStream()) {
        stdin.write(input);
      }
      byte[] output = process.getInputStream().readAllBytes();
      String errors =
          new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new TestbedException("etcdctl failed: " + errors, "is etcd running?");
      }
      return output;
    } catch (IOException e) {
      throw new TestbedException("etcdctl does not start", "", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while etcdctl ran", "", e);
    }
  }
}
