package io.keyward.kms.gcp;

import io.keyward.kms.fakes.FakeBackend;
import io.keyward.kms.fakes.FakeGoogleLogin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// The fake as a process of its own, for benchmarks and for tests of the distribution: Google's
/// classes and ours for gRPC do not fit into one JVM.
final class FakeCloudKmsServer {
  private FakeCloudKmsServer() {}

  /// Runs until the process is killed. The settings appear in `DIRECTORY/settings.json` when it is
  /// ready; the credentials are in `DIRECTORY/account.json`.
  public static void main(String[] args) throws IOException, InterruptedException {
    Path directory = Path.of(args[0]);
    String key = "projects/p/locations/global/keyRings/r/cryptoKeys/kek";
    FakeGoogleLogin login = FakeGoogleLogin.start(directory);
    var fake = new FakeCloudKms(directory, login::knows);
    fake.createKey(key);
    Path account = ServiceAccountFile.write(directory.resolve("account.json"), login.address());
    Path ca =
        Files.writeString(
            directory.resolve("ca.pem"),
            Files.readString(login.ca()) + Files.readString(fake.ca()));
    FakeBackend.tell(
        directory,
        Map.of(
            "key", key,
            "credentialsFile", account.toString(),
            "endpoint", fake.endpoint(),
            "caFile", ca.toString()));
    Thread.currentThread().join();
  }
}
