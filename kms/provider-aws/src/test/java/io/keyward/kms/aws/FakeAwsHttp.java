package io.keyward.kms.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;

/// A stub of the SDK's HTTP layer: gives the answers it was told, in order, the last one for ever.
/// For answers of AWS that moto never gives.
final class FakeAwsHttp implements SdkHttpClient {
  private record Answer(int status, String body) {}

  private final Deque<Answer> answers = new ArrayDeque<>();
  final List<String> accessKeys = new ArrayList<>();
  final List<String> hosts = new ArrayList<>();
  String date = "";

  FakeAwsHttp then(int status, String body) {
    answers.add(new Answer(status, body));
    return this;
  }

  FakeAwsHttp thenError(int status, String type) {
    return then(status, "{\"__type\":\"" + type + "\",\"message\":\"words of AWS\"}");
  }

  int calls() {
    return accessKeys.size();
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    String authorization = request.httpRequest().firstMatchingHeader("Authorization").orElse("");
    accessKeys.add(authorization.replaceAll(".*Credential=([^/]*)/.*", "$1"));
    hosts.add(request.httpRequest().host());
    Answer answer = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
    var body = AbortableInputStream.create(new ByteArrayInputStream(answer.body().getBytes(UTF_8)));
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() {
        return HttpExecuteResponse.builder()
            .response(
                SdkHttpResponse.builder()
                    .statusCode(answer.status())
                    .putHeader("Content-Type", "application/x-amz-json-1.1")
                    .putHeader("Date", date)
                    .build())
            .responseBody(body)
            .build();
      }

      @Override
      public void abort() {}
    };
  }

  @Override
  public void close() {}
}
