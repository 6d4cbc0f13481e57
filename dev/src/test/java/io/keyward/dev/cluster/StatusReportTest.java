package io.keyward.dev.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.keyward.testbed.dev.DevStatus;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StatusReportTest {
  @Test
  void theDocumentFollowsItsSchema() throws IOException {
    var server =
        new DevStatus.ServerStatus(
            "etcd", DevStatus.Condition.READY, 7, URI.create("http://a:1"), Path.of("/log"));
    var status = new DevStatus(DevStatus.Health.UP, Path.of("/dev"), List.of(server));
    ObjectNode document = StatusReport.document(status);
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(Files.readString(Path.of("../docs/reference/schemas/DevCluster.json")));
    assertThat(schema.validate(document)).isEmpty();
    assertThat(schema.validate(document.deepCopy().put("more", 1))).hasSize(1);
  }
}
