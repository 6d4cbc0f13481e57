package io.keyward.testbed;

import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.Ports;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One kube-apiserver. What it is started with may change between two starts.
public final class ApiServer extends TestServer {
  private final ControlPlaneHome site;
  private final Etcd etcd;
  private final Path directory;
  private final Path sockets;
  private List<String> arguments;
  private int port;
  private @Nullable ApiClient admin;

  ApiServer(int index, ControlPlaneHome site, Etcd etcd, List<String> arguments) {
    super("kube-apiserver-" + index);
    this.site = site;
    this.etcd = etcd;
    this.arguments = List.copyOf(arguments);
    this.directory = ControlPlaneHome.createPrivate(site.directory().resolve(name()));
    this.sockets = SocketDirectory.at(directory.resolve("sockets"));
    choosePorts();
  }

  public URI url() {
    return URI.create("https://127.0.0.1:" + port);
  }

  public Path caCertificate() {
    return site.pki().clusterCa();
  }

  /// Of a user who may do everything.
  public Path adminKubeconfig() {
    return directory.resolve("admin.kubeconfig");
  }

  /// Where the file exists at a start, the server is started with it.
  public Path encryptionConfigFile() {
    return directory.resolve("encryption-config.yaml");
  }

  /// Replaces the encryption configuration in one step, as a running server must see it.
  public void writeEncryptionConfig(String yaml) {
    try {
      Path partial = Files.createTempFile(directory, "encryption-config", ".partial");
      Files.writeString(partial, yaml);
      Files.move(partial, encryptionConfigFile(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new TestbedException("cannot write the encryption configuration", "", e);
    }
  }

  /// Short enough for unix sockets; other users cannot enter.
  public Path socketDirectory() {
    return sockets;
  }

  /// In force from the next start. They replace those given before.
  public void useArguments(String... more) {
    arguments = List.of(more);
  }

  /// As the admin. Lives as long as this server object.
  public synchronized ApiClient client() {
    if (admin == null) {
      admin = clientFor(site.pki().admin());
    }
    return admin;
  }

  /// As somebody else. The caller closes it.
  public ApiClient clientFor(KeyPairFiles user) {
    return new ApiClient(url(), caCertificate(), user);
  }

  public Answer get(String path) {
    return client().get(path);
  }

  /// Each check with its result.
  public String readyz() {
    return get("/readyz?verbose").body();
  }

  public String metrics() {
    return get("/metrics").body();
  }

  @Override
  public URI readyEndpoint() {
    return url().resolve("/readyz");
  }

  @Override
  public boolean isReady() {
    return Readiness.saysYes(client(), readyEndpoint().getPath());
  }

  @Override
  public void close() {
    super.close();
    forgetClient();
    SocketDirectory.remove(sockets);
  }

  @Override
  void choosePorts() {
    port = Ports.free();
    forgetClient();
    KubeconfigFile.write(adminKubeconfig(), url(), caCertificate(), site.pki().admin());
  }

  @Override
  Launch launch() {
    List<String> all = new ArrayList<>(ApiServerArguments.of(site.pki(), etcd, port));
    if (Files.exists(encryptionConfigFile())) {
      all.add("--encryption-provider-config=" + encryptionConfigFile());
    }
    all.addAll(arguments);
    return site.launch(name(), ServerBinary.KUBE_APISERVER, all);
  }

  private synchronized void forgetClient() {
    if (admin != null) {
      admin.close();
      admin = null;
    }
  }
}
