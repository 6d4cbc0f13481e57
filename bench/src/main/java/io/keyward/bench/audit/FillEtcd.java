package io.keyward.bench.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.Locale;
import java.util.Random;
import java.util.StringJoiner;

/// Fills an etcd with values of all providers, about 2 KiB each, through its JSON gateway. The
/// bodies are noise: an audit without keys cannot tell, and does not look.
final class FillEtcd {
  private static final int BATCH = 100;
  private static final int NAMESPACES = 500;
  private static final int SMALLEST = 1_200;
  private static final int SPREAD = 1_600;

  private final Random random = new Random(1);
  private final HttpClient http = HttpClient.newHttpClient();
  private final URI transactions;

  private FillEtcd(String endpoint) {
    this.transactions = URI.create(endpoint + "/v3/kv/txn");
  }

  static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 2) {
      System.err.println("usage: FillEtcd ENDPOINT KEYS");
      System.exit(64);
    }
    new FillEtcd(args[0]).fill(Integer.parseInt(args[1]));
  }

  private void fill(int keys) throws IOException, InterruptedException {
    for (int first = 0; first < keys; first += BATCH) {
      var puts = new StringJoiner(",", "{\"success\":[", "]}");
      for (int i = first; i < Math.min(keys, first + BATCH); i++) {
        puts.add(put(i));
      }
      var request =
          HttpRequest.newBuilder(transactions)
              .POST(HttpRequest.BodyPublishers.ofString(puts.toString()))
              .build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException(answer.body());
      }
    }
  }

  private String put(int number) {
    String resource =
        switch (number % 3) {
          case 0 -> "secrets";
          case 1 -> "configmaps";
          default -> "pods";
        };
    String key =
        String.format(
            Locale.ROOT, "/registry/%s/ns%03d/name-%07d", resource, number % NAMESPACES, number);
    return "{\"requestPut\":{\"key\":\""
        + base64(key.getBytes(UTF_8))
        + "\",\"value\":\""
        + base64(value(number))
        + "\"}}";
  }

  private byte[] value(int number) {
    return switch (number % 10) {
      case 0 -> sealed("k8s:enc:aescbc:v1:key1:");
      case 1 -> sealed("k8s:enc:secretbox:v1:key1:");
      case 2 -> sealed("k8s:enc:aesgcm:v1:key1:");
      case 3 -> sealed("k8s\0");
      default -> kmsV2(number);
    };
  }

  private byte[] sealed(String head) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(head.getBytes(UTF_8));
    out.writeBytes(noise(SMALLEST + random.nextInt(SPREAD)));
    return out.toByteArray();
  }

  private byte[] kmsV2(int number) {
    var out = new ByteArrayOutputStream();
    out.writeBytes("k8s:enc:kms:v2:kms-main:".getBytes(UTF_8));
    field(out, 0x0A, noise(SMALLEST + random.nextInt(SPREAD)));
    field(out, 0x12, ("kek-" + number % 2).getBytes(UTF_8));
    // A handful of seeds, as a cluster has after some restarts.
    field(out, 0x1A, ("a wrapped seed, number " + number % 7).getBytes(UTF_8));
    out.write(0x28);
    out.write(1);
    return out.toByteArray();
  }

  private static void field(ByteArrayOutputStream out, int tag, byte[] content) {
    out.write(tag);
    int rest = content.length;
    while (rest > 0x7f) {
      out.write((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
    out.writeBytes(content);
  }

  private byte[] noise(int size) {
    var noise = new byte[size];
    random.nextBytes(noise);
    return noise;
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
