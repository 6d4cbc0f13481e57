package io.keyward.testbed;

import io.keyward.testbed.binary.PythonPackage;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.Ports;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Moto, an emulator of AWS. It does not enforce the state of keys nor any policy, and is taught
/// here to name key material (see `moto.py`).
public final class Moto extends TestServer {
  private static final PythonPackage PACKAGE = new PythonPackage("moto", "moto[server]==5.2.5");

  private final Path directory;
  private int port;

  private Moto(Path directory) {
    super("moto");
    this.directory = ControlPlaneHome.createPrivate(directory.toAbsolutePath().normalize());
    choosePorts();
  }

  /// Returns when it is ready. Installs it first where that was never done.
  public static Moto start(Path directory) {
    var moto = new Moto(directory);
    boolean up = false;
    try {
      moto.startReady();
      up = true;
      return moto;
    } finally {
      if (!up) {
        moto.close();
      }
    }
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }

  @Override
  public URI readyEndpoint() {
    return url().resolve("/moto-api/data.json");
  }

  @Override
  public boolean isReady() {
    try (var client = new ApiClient(url(), Optional.empty(), Map.of())) {
      return Readiness.saysYes(client, readyEndpoint().getPath());
    }
  }

  @Override
  void choosePorts() {
    port = Ports.free();
  }

  @Override
  Launch launch() {
    Path packages = PACKAGE.ensure();
    return new Launch(
        name(),
        List.of("python3", script().toString(), "-H", "127.0.0.1", "-p", Integer.toString(port)),
        Map.of("PYTHONPATH", packages.toString(), "PYTHONDONTWRITEBYTECODE", "1"),
        directory.resolve("moto.log"),
        Launch.Lifetime.WITH_JVM);
  }

  private Path script() {
    Path script = directory.resolve("start_moto.py");
    try (InputStream in = Objects.requireNonNull(Moto.class.getResourceAsStream("moto.py"))) {
      Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
      return script;
    } catch (IOException e) {
      throw new TestbedException("cannot write " + script, "check the directory", e);
    }
  }
}
