import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// The floor: GenerateDataKey and Decrypt over one kept connection, without an SDK, unsigned. Run as
/// `java DirectAws.java URL SECONDS`; creates a key and prints `ARN generate-p50-us decrypt-p50-us`.
final class DirectAws {
  public static void main(String[] args) throws Throwable {
    String url = args[0];
    long nanos = Long.parseLong(args[1]) * 1_000_000_000L;
    String arn = field(call(url, "CreateKey", "{}"), "Arn");
    String generate = "{\"KeyId\":\"" + arn + "\",\"KeySpec\":\"AES_256\"}";
    String blob = field(call(url, "GenerateDataKey", generate), "CiphertextBlob");
    String decrypt = "{\"KeyId\":\"" + arn + "\",\"CiphertextBlob\":\"" + blob + "\"}";
    long first = Median.micros(nanos, () -> call(url, "GenerateDataKey", generate));
    long second = Median.micros(nanos, () -> call(url, "Decrypt", decrypt));
    System.out.println(arn + " " + first + " " + second);
  }

  private static String call(String url, String action, String body) throws IOException {
    var http = (HttpURLConnection) URI.create(url).toURL().openConnection();
    http.setDoOutput(true);
    http.setRequestProperty("Content-Type", "application/x-amz-json-1.1");
    http.setRequestProperty("X-Amz-Target", "TrentService." + action);
    http.setRequestProperty(
        "Authorization",
        "AWS4-HMAC-SHA256 Credential=a/20260101/eu-central-1/kms/aws4_request, SignedHeaders=host, Signature=a");
    http.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    try (var in = http.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String field(String json, String name) {
    var matcher = Pattern.compile("\"" + name + "\": ?\"([^\"]*)\"").matcher(json);
    if (!matcher.find()) {
      throw new IllegalStateException("no " + name + " in the answer");
    }
    return matcher.group(1);
  }
}
