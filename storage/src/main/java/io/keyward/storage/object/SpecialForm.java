package io.keyward.storage.object;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.bytes.WireReader;
import io.keyward.storage.object.Schema.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The types that have a JSON form of their own.
final class SpecialForm {
  /// A value of JSON, null included.
  record Json(@Nullable Object value) {}

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private SpecialForm() {}

  /// Empty where the bytes are not what the type says.
  static Optional<Json> of(Kind kind, ByteView bytes) {
    return switch (kind) {
      case STRING -> text(bytes);
      case BYTES -> json(Base64.getEncoder().encodeToString(bytes.toArray()));
      case STRINGS -> strings(bytes);
      case TIME -> time(bytes, SECONDS);
      case MICROTIME -> time(bytes, MICROSECONDS);
      case QUANTITY -> first(bytes).flatMap(SpecialForm::quantity);
      case INT_OR_STRING -> intOrString(bytes);
      case RAW -> first(bytes).flatMap(SpecialForm::raw);
      // Numbers in maps: no stored type has one.
      case BOOL, INT, MESSAGE -> Optional.empty();
    };
  }

  private static Optional<Json> json(@Nullable Object value) {
    return Optional.of(new Json(value));
  }

  private static Optional<Json> text(ByteView bytes) {
    return bytes.utf8().map(Json::new);
  }

  private static Optional<Json> strings(ByteView bytes) {
    var texts = new ArrayList<String>();
    boolean good = true;
    var reader = new WireReader(bytes);
    while (reader.next()) {
      if (reader.is(1, WireReader.BYTES)) {
        Optional<String> text = reader.content().utf8();
        good &= text.isPresent();
        texts.add(text.orElse(""));
      }
    }
    return good && !reader.isDamaged() ? json(texts) : Optional.empty();
  }

  /// Seconds and nanoseconds. Nothing at all is Go's zero time, which is null.
  private static Optional<Json> time(ByteView bytes, DateTimeFormatter form) {
    if (bytes.isEmpty()) {
      return json(null);
    }
    long seconds = 0;
    long nanos = 0;
    var reader = new WireReader(bytes);
    while (reader.next()) {
      if (reader.is(1, WireReader.VARINT)) {
        seconds = reader.number();
      } else if (reader.is(2, WireReader.VARINT)) {
        nanos = reader.number();
      }
    }
    try {
      return reader.isDamaged()
          ? Optional.empty()
          : json(form.format(Instant.ofEpochSecond(seconds, nanos)));
    } catch (DateTimeException | ArithmeticException beyondAllTimes) {
      return Optional.empty();
    }
  }

  /// The bytes of field 1.
  private static Optional<ByteView> first(ByteView bytes) {
    ByteView content = ByteView.EMPTY;
    var reader = new WireReader(bytes);
    while (reader.next()) {
      if (reader.is(1, WireReader.BYTES)) {
        content = reader.content();
      }
    }
    return reader.isDamaged() ? Optional.empty() : Optional.of(content);
  }

  private static Optional<Json> quantity(ByteView text) {
    return text.isEmpty() ? json("0") : text(text);
  }

  private static Optional<Json> raw(ByteView text) {
    if (text.isEmpty()) {
      return json(null);
    }
    try {
      return text.utf8().isEmpty()
          ? Optional.empty()
          : json(JSON.readValue(text.utf8().get(), Object.class));
    } catch (JsonProcessingException notJson) {
      return Optional.empty();
    }
  }

  private static Optional<Json> intOrString(ByteView bytes) {
    boolean isText = false;
    long number = 0;
    ByteView text = ByteView.EMPTY;
    var reader = new WireReader(bytes);
    while (reader.next()) {
      if (reader.is(1, WireReader.VARINT)) {
        isText = reader.number() == 1;
      } else if (reader.is(2, WireReader.VARINT)) {
        number = reader.number();
      } else if (reader.is(3, WireReader.BYTES)) {
        text = reader.content();
      }
    }
    if (reader.isDamaged()) {
      return Optional.empty();
    }
    return isText ? text(text) : json(number);
  }
}
