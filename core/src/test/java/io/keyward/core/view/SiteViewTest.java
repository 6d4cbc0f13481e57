package io.keyward.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.kms.ReferenceData;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SiteViewTest {
  private static final Set<Class<?>> SECRET =
      Set.of(
          KeyMaterial.class,
          DataValue.class,
          Key.class,
          EncryptionLayout.class,
          ReferenceData.class,
          Stored.class,
          RequestedEncryption.class,
          ObservedState.class);

  /// Whatever is added to the view later: no type in it, at any depth, holds key material or
  /// credentials.
  @Test
  void noTypeOfTheViewCanHoldASecret() {
    var reached = new HashSet<Class<?>>();
    reach(SiteView.class, reached);
    assertThat(reached).contains(KeyView.class).doesNotContainAnyElementsOf(SECRET);
  }

  private static void reach(Type type, Set<Class<?>> reached) {
    if (type instanceof ParameterizedType generic) {
      for (Type argument : generic.getActualTypeArguments()) {
        reach(argument, reached);
      }
      return;
    }
    if (type instanceof Class<?> one
        && one.getName().startsWith("io.keyward")
        && reached.add(one)) {
      if (one.isSealed()) {
        for (Class<?> variant : one.getPermittedSubclasses()) {
          reach(variant, reached);
        }
      }
      if (one.isRecord()) {
        for (RecordComponent member : one.getRecordComponents()) {
          reach(member.getGenericType(), reached);
        }
      }
    }
  }
}
