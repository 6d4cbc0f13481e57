import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A fake of Vault's transit engine, for the run that makes the AOT cache: what it encrypts is what
/// it was given. It is also a cluster without objects. Arguments: key store, its password, the file
/// that gets the port.
final class FakeVault {
  private static final Pattern PLAINTEXT = Pattern.compile("\"plaintext\":\"([^\"]*)\"");
  private static final Pattern CIPHERTEXT = Pattern.compile("\"ciphertext\":\"vault:v1:([^\"]*)\"");
  private static final String EMPTY =
      "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{},\"items\":[]}";

  private FakeVault() {}

  static void main(String[] args) throws IOException, GeneralSecurityException {
    char[] password = args[1].toCharArray();
    var keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(Path.of(args[0]))) {
      keys.load(in, password);
    }
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, password);
    var tls = SSLContext.getInstance("TLS");
    tls.init(own.getKeyManagers(), null, null);

    var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", FakeVault::handle);
    server.start();
    Path port = Path.of(args[2]);
    Path whole = Files.writeString(Path.of(args[2] + ".new"), server.getAddress().getPort() + "\n");
    Files.move(whole, port, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void handle(HttpExchange exchange) throws IOException {
    String request = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    var plaintext = PLAINTEXT.matcher(request);
    var ciphertext = CIPHERTEXT.matcher(request);
    String data = "";
    if (plaintext.find()) {
      data = "\"ciphertext\":\"vault:v1:" + plaintext.group(1) + "\",\"key_version\":1";
    } else if (ciphertext.find()) {
      data = "\"plaintext\":\"" + ciphertext.group(1) + "\"";
    }
    boolean isCluster = exchange.getRequestURI().getPath().startsWith("/api");
    String text = isCluster ? EMPTY : "{\"request_id\":\"training\",\"data\":{" + data + "}}";
    byte[] answer = text.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }
}
