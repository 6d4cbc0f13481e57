package io.keyward.codec.object;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.JsonSchema;

/// Writes YAML in block style, as `kubectl` and kubeadm do.
public final class Yaml {
  private static final DumpSettings BLOCK =
      DumpSettings.builder()
          .setDefaultFlowStyle(FlowStyle.BLOCK)
          .setSplitLines(false)
          .setSchema(new Quoting())
          .build();

  private Yaml() {}

  public static String write(JsonNode object) {
    var tree =
        new ObjectMapper()
            .convertValue(object, new TypeReference<LinkedHashMap<String, Object>>() {});
    return new Dump(BLOCK).dumpToString(tree);
  }

  /// Kubernetes reads YAML 1.1, in which more plain words are booleans or numbers than in the YAML
  /// 1.2 of the library. As texts, they need quotes.
  private static final class Quoting extends JsonSchema {
    private static final Pattern AMBIGUOUS =
        Pattern.compile(
            "(?i)y|n|yes|no|on|off|true|false|null|~|[-+.0-9][-+.0-9_:a-fox]*|[-+]?\\.(inf|nan)");

    @Override
    public ScalarResolver getScalarResolver() {
      ScalarResolver base = super.getScalarResolver();
      return (text, isPlain) -> {
        Tag tag = base.resolve(text, isPlain);
        return tag.equals(Tag.STR) && isPlain && AMBIGUOUS.matcher(text).matches() ? Tag.BOOL : tag;
      };
    }
  }
}
