package io.keyward.cli.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The files of a revision, as a pod of an API server has them.
public record RevisionFiles(Path directory, Path sockets) {
  public static RevisionFiles in(Path parent) throws IOException {
    return new RevisionFiles(
        Files.createDirectories(parent.resolve("revision")),
        Files.createDirectories(parent.resolve("sockets")));
  }

  /// Names the sockets of these keys.
  public RevisionFiles keys(int... serials) throws IOException {
    var providers = new StringBuilder();
    for (int serial : serials) {
      providers.append(
          "{\"kms\":{\"apiVersion\":\"v2\",\"name\":\"%d_secrets\",\"endpoint\":\"%s\"}},"
              .formatted(serial, endpoint(serial)));
    }
    return write(
        "encryption-config",
        "{\"resources\":[{\"resources\":[\"secrets\"],\"providers\":["
            + providers
            + "{\"identity\":{}}]}]}");
  }

  public Path socket(int serial) {
    return sockets.resolve("kms-" + serial + ".sock");
  }

  public String endpoint(int serial) {
    return "unix://" + socket(serial);
  }

  /// A key in a Vault at this address, with its credentials.
  public RevisionFiles vault(int serial, String address) throws IOException {
    String kms =
        """
        {"type":"Vault","vault":{"vaultAddress":"%s","vaultKeyPath":"transit/keys/k",
         "authentication":{"type":"AppRole","appRole":{"secret":{"name":"role"}}}}}
        """
            .formatted(address);
    write("kms-plugin-secret-role_role-id-" + serial, "the-role");
    write("kms-plugin-secret-role_secret-id-" + serial, "the secret");
    return kms(serial, kms);
  }

  public RevisionFiles external(int serial) throws IOException {
    return kms(serial, "{\"type\":\"External\"}");
  }

  private RevisionFiles kms(int serial, String kms) throws IOException {
    return write(
        "kms-plugin-config-" + serial, "{\"spec\":{\"encryption\":{\"kms\":" + kms + "}}}");
  }

  private RevisionFiles write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
    return this;
  }
}
