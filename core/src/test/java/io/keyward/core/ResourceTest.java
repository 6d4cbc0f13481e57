package io.keyward.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ResourceTest {
  @Test
  void isOrderedByItsCanonicalText() {
    var texts =
        List.of("a", "a-b", "a.b", "a.z", "aa", "aa.b", "ab", "routes.a.x", "routes.b", "secrets");
    for (String one : texts) {
      for (String other : texts) {
        assertThat(Integer.signum(Resource.parse(one).compareTo(Resource.parse(other))))
            .as("%s and %s", one, other)
            .isEqualTo(Integer.signum(one.compareTo(other)));
      }
    }
  }
}
