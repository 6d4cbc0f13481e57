package io.keyward.testbed.dev;

import io.keyward.testbed.Etcd;
import io.keyward.testbed.Readiness;
import io.keyward.testbed.TestServer;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.Pki;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.ProcessIdentity;
import io.keyward.testbed.process.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What has to be remembered of one server to find it, stop it, and start it again as it was.
public record DevServer(
    String name,
    ProcessIdentity identity,
    List<String> command,
    Path log,
    URI readyEndpoint,
    Path ca,
    Path clientCertificate,
    Path clientKey) {

  static DevServer of(TestServer server, Pki pki) {
    ServerProcess process = server.process();
    boolean isEtcd = server instanceof Etcd;
    KeyPairFiles client = isEtcd ? pki.etcdClient() : pki.admin();
    return new DevServer(
        server.name(),
        process.identity(),
        process.launch().command(),
        process.log(),
        server.readyEndpoint(),
        isEtcd ? pki.etcdCa() : pki.clusterCa(),
        client.certificate(),
        client.key());
  }

  ServerProcess process() {
    return ServerProcess.adopt(launch(), identity);
  }

  boolean answers() {
    return Readiness.saysYes(readyEndpoint, ca, new KeyPairFiles(clientCertificate, clientKey));
  }

  DevServer startedAgain() {
    ServerProcess again = ServerProcess.start(launch());
    return new DevServer(
        name, again.identity(), command, log, readyEndpoint, ca, clientCertificate, clientKey);
  }

  boolean isRunning() {
    return identity.isRunning();
  }

  private Launch launch() {
    return new Launch(name, command, Map.of(), log, Launch.Lifetime.DETACHED);
  }
}
