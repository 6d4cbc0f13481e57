package io.keyward.cli.output;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;

/// YAML that kubectl reads back unchanged. Kubernetes reads YAML 1.1, where `yes`, `0o7` or `1_000`
/// without quotes are no texts; so texts have quotes unless they cannot be taken for anything else.
public final class KubeYaml {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9]*([./-][A-Za-z0-9]+)*");

  private static final Pattern WORDS =
      Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null|inf|nan");

  private static final DumpSettings SETTINGS =
      DumpSettings.builder()
          .setDefaultFlowStyle(FlowStyle.BLOCK)
          .setWidth(Integer.MAX_VALUE)
          .setSplitLines(false)
          .build();

  private KubeYaml() {}

  public static String of(Map<String, @Nullable Object> object) {
    return dump(object);
  }

  /// A list with this one item, so that longer lists can be written item by item.
  public static String item(Map<String, @Nullable Object> object) {
    return dump(List.of(object));
  }

  private static String dump(Object data) {
    return new Dump(SETTINGS, new Quoting()).dumpToString(data);
  }

  private static final class Quoting extends StandardRepresenter {
    Quoting() {
      super(SETTINGS);
      representers.put(
          String.class, data -> representScalar(Tag.STR, (String) data, style((String) data)));
      representers.put(
          BigDecimal.class, data -> representScalar(Tag.FLOAT, data.toString(), ScalarStyle.PLAIN));
    }

    private static ScalarStyle style(String text) {
      boolean plain = PLAIN.matcher(text).matches() && !WORDS.matcher(text).matches();
      return plain ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED;
    }
  }
}
