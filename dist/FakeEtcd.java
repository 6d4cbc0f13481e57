import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.keyward.etcd.proto.KVGrpc;
import io.keyward.etcd.proto.KeyValue;
import io.keyward.etcd.proto.RangeRequest;
import io.keyward.etcd.proto.RangeResponse;
import io.keyward.etcd.proto.ResponseHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;

/// A fake of a running etcd, for the run that makes the AOT cache: it answers ranges alone. Its
/// argument is the file that gets the port.
final class FakeEtcd {
  private static final int KEYS = 20_000;
  private static final String FILLER = "x".repeat(2_000);

  /// As they begin; what follows is never opened.
  private static final String[] VALUES = {
    "k8s:enc:aescbc:v1:1:", "k8s:enc:secretbox:v1:2:", "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}"
  };

  private FakeEtcd() {}

  static void main(String[] args) throws IOException, InterruptedException {
    var content = new TreeMap<String, String>();
    for (int i = 0; i < KEYS; i++) {
      String resource = i % 2 == 0 ? "secrets" : "configmaps";
      content.put(
          "/registry/" + resource + "/namespace-" + i % 50 + "/name-" + i,
          VALUES[i % VALUES.length] + FILLER);
    }
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(new Ranges(content))
            .build()
            .start();
    Path whole = Files.writeString(Path.of(args[0] + ".new"), server.getPort() + "\n");
    Files.move(whole, Path.of(args[0]), StandardCopyOption.ATOMIC_MOVE);
    server.awaitTermination();
  }

  private static final class Ranges extends KVGrpc.KVImplBase {
    private final TreeMap<String, String> content;

    Ranges(TreeMap<String, String> content) {
      this.content = content;
    }

    @Override
    public void range(RangeRequest request, StreamObserver<RangeResponse> answer) {
      Map<String, String> rest = content.tailMap(request.getKey().toStringUtf8(), true);
      var page =
          RangeResponse.newBuilder()
              .setHeader(ResponseHeader.newBuilder().setRevision(KEYS))
              .setCount(rest.size())
              .setMore(rest.size() > request.getLimit());
      rest.entrySet().stream()
          .limit(request.getLimit())
          .forEach(entry ->
              page.addKvs(
                  KeyValue.newBuilder()
                      .setKey(ByteString.copyFrom(entry.getKey(), UTF_8))
                      .setValue(ByteString.copyFrom(entry.getValue(), UTF_8))
                      .setModRevision(1)));
      answer.onNext(page.build());
      answer.onCompleted();
    }
  }
}
