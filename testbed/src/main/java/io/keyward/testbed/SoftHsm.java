package io.keyward.testbed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// SoftHSM, a PKCS#11 module that keeps its keys in files, with one token. Its programs come from
/// Debian's packages `softhsm2` and `opensc`, which are installed where they are missing and the
/// user is root.
public final class SoftHsm {
  public static final String PIN = "1234";
  private static final Path MODULE = Path.of("/usr/lib/softhsm/libsofthsm2.so");

  private final Path configuration;
  private final String token;
  private final String pin;

  private SoftHsm(Path configuration, String token, String pin) {
    this.configuration = configuration;
    this.token = token;
    this.pin = pin;
  }

  /// Writes `softhsm2.conf` and a token into the directory. A process that uses the token needs the
  /// path of that file in its environment as `SOFTHSM2_CONF`.
  public static SoftHsm create(Path directory, String token) {
    return create(directory, token, PIN);
  }

  /// The same with a PIN of the caller's choice.
  public static SoftHsm create(Path directory, String token, String pin) {
    install();
    Path home = ControlPlaneHome.createPrivate(directory.toAbsolutePath().normalize());
    Path tokens = ControlPlaneHome.createPrivate(home.resolve("tokens"));
    Path configuration = home.resolve("softhsm2.conf");
    try {
      Files.writeString(
          configuration, "directories.tokendir = " + tokens + "\nlog.level = ERROR\n");
    } catch (IOException e) {
      throw new TestbedException("cannot write " + configuration, "check the directory", e);
    }
    var hsm = new SoftHsm(configuration, token, pin);
    hsm.run(
        "softhsm2-util --init-token --free --label " + token + " --pin " + pin + " --so-pin 4321");
    return hsm;
  }

  public static Path module() {
    return MODULE;
  }

  /// A module that stands before the one that the environment names as `PKCS11SPY`, and writes down
  /// in the file `PKCS11SPY_OUTPUT` what it is asked for.
  public static Path spy() {
    try (var found = Files.newDirectoryStream(Path.of("/usr/lib"), "*-linux-gnu")) {
      for (Path each : found) {
        Path spy = each.resolve("pkcs11-spy.so");
        if (Files.exists(spy)) {
          return spy;
        }
      }
    } catch (IOException e) {
      throw new TestbedException("cannot look for pkcs11-spy.so", "check /usr/lib", e);
    }
    throw new TestbedException("there is no pkcs11-spy.so", "install the package opensc-pkcs11");
  }

  public Path configuration() {
    return configuration;
  }

  public String pin() {
    return pin;
  }

  public String token() {
    return token;
  }

  /// Makes an AES-256 key that cannot leave the token.
  public void createKey(String label) {
    createKey(label, "");
  }

  /// The same with a `CKA_ID`, in hexadecimal.
  public void createKey(String label, String id) {
    run(
        "pkcs11-tool --module "
            + MODULE
            + " --login --pin "
            + pin
            + " --token-label "
            + token
            + " --keygen --key-type AES:32 --usage-decrypt --usage-wrap --label "
            + label
            + (id.isEmpty() ? "" : " --id " + id));
  }

  private void run(String command) {
    run(List.of(command.split(" ", 64)), "SOFTHSM2_CONF", configuration.toString());
  }

  private static void install() {
    if (Files.exists(MODULE) && Files.exists(Path.of("/usr/bin/pkcs11-tool"))) {
      return;
    }
    run(
        List.of("apt-get", "install", "-y", "--no-install-recommends", "softhsm2", "opensc"),
        "DEBIAN_FRONTEND",
        "noninteractive");
  }

  private static void run(List<String> command, String variable, String value) {
    try {
      var builder = new ProcessBuilder(new ArrayList<>(command)).redirectErrorStream(true);
      builder.environment().put(variable, value);
      Process process = builder.start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new TestbedException(
            command.getFirst() + " failed",
            "install the packages softhsm2 and opensc",
            output.lines().toList());
      }
    } catch (IOException e) {
      throw new TestbedException(
          "cannot run " + command.getFirst(), "install the packages softhsm2 and opensc", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted", "try again", e);
    }
  }
}
