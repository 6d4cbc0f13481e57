package io.keyward.etcd.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WireReaderTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                          | message                    | fields
          nothing                         | ''                         | ''
          a varint                        | 089601                     | 1=150
          an over-long varint             | 08968180808000             | 1=150
          ten bytes are the most          | 08ffffffffffffffffff01     | 1=-1
          ten bytes that overflow         | 08ffffffffffffffffff02     | damaged
          eleven bytes                    | 08ffffffffffffffffffff01   | damaged
          bytes                           | 0a026869                   | 1[2]
          bytes cut short                 | 0a036869                   | damaged
          a length that is negative       | 0affffffffffffffffff01     | damaged
          fixed widths are little endian  | 0901000000000000001502000000 | 1=1 2=2
          fixed cut short                 | 090100                     | damaged
          field zero                      | 0001                       | damaged
          a whole group is skipped        | 0b10050c1001               | group 2=1
          a group that is not closed      | 0b1005                     | damaged
          a group closed by another       | 0b100514                   | damaged
          an end without a start          | 0c                         | damaged
          wire type 6                     | 0e                         | damaged
          """)
  void reads(String name, String message, String fields) {
    assertThat(show(new WireReader(ByteView.wrap(HexFormat.of().parseHex(message)))))
        .isEqualTo(fields);
  }

  @Test
  void everyByteStringEndsWithoutAnException() {
    var random = new Random(7);
    for (int round = 0; round < 20_000; round++) {
      var noise = new byte[random.nextInt(40)];
      random.nextBytes(noise);
      assertThat(show(new WireReader(ByteView.wrap(noise)))).isNotNull();
    }
  }

  private static String show(WireReader reader) {
    var shown = new StringJoiner(" ");
    while (reader.next()) {
      shown.add(showField(reader));
    }
    return reader.isDamaged() ? "damaged" : shown.toString();
  }

  private static String showField(WireReader reader) {
    for (int field = 1; field < 4; field++) {
      if (reader.is(field, WireReader.BYTES)) {
        return field + "[" + reader.content().size() + "]";
      }
      if (reader.is(field, WireReader.VARINT)
          || reader.is(field, WireReader.FIXED64)
          || reader.is(field, WireReader.FIXED32)) {
        return field + "=" + reader.number();
      }
    }
    return "group";
  }
}
