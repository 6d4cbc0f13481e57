package io.keyward.storage.config.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Documents that are almost configurations. The seed decides all of them.
final class MutatedDocuments {
  /// Texts that mean something to YAML, to JSON or to a configuration.
  private static final List<String> PIECES =
      List.of(
          "\t",
          "\n",
          "\r",
          "\r\n",
          " ",
          "  ",
          "\n\n",
          "\n  ",
          "\n\t",
          " \t",
          "\u0085",
          "\u2028",
          "\uFEFF",
          "\u00A0",
          "\u0000",
          "\u0007",
          "\u007F",
          "\uFFFE",
          "\uD83D\uDE00",
          "é",
          "-",
          "- ",
          "--- ",
          "---\n",
          "\n---\n",
          "...",
          "\n...\n",
          "%",
          "%YAML 1.1\n---\n",
          "%YAML 1.2\n---\n",
          "%YAML 1.10\n---\n",
          "%TAG ! tag:x:\n---\n",
          "%TAG !a! tag:yaml.org,2002:\n---\n",
          "%FOO\n---\n",
          "?",
          "? ",
          ":",
          ": ",
          ",",
          ", ",
          "[",
          "]",
          "{",
          "}",
          "#",
          " #",
          "&a ",
          "*a",
          "*a ",
          "&",
          "*",
          "!",
          "! ",
          "!!",
          "!!str ",
          "!!int ",
          "!!float ",
          "!!null ",
          "!!bool ",
          "!!binary ",
          "!!timestamp ",
          "!!map ",
          "!!seq ",
          "!!set ",
          "!!merge ",
          "!x ",
          "!a!str ",
          "!<tag:yaml.org,2002:str> ",
          "!<x",
          "!%41 ",
          "!%zz ",
          "|",
          "|\n",
          "|-\n",
          "|+\n",
          "|2\n",
          "|1-\n",
          ">",
          ">\n",
          ">-\n",
          ">0\n",
          "'",
          "''",
          "\"",
          "\\",
          "\\n",
          "\\x41",
          "\\u00e9",
          "\\ud800",
          "\\U0001F600",
          "\\/",
          "\\\n",
          "\\e",
          "\\'",
          "@",
          "`",
          "~",
          "null",
          "Null",
          "true",
          "yes",
          "y",
          "no",
          "off",
          "1",
          "0",
          "-1",
          "1.0",
          "1e3",
          "1e-3",
          ".5",
          "0x10",
          "0b11",
          "0o17",
          "017",
          "09",
          "1_000",
          "+1",
          "-0",
          ".inf",
          ".nan",
          "+.inf",
          "2026-03-09",
          "1:30",
          "1e999",
          "18446744073709551615",
          "18446744073709551616",
          "2147483648",
          "<<: ",
          "<<: *a",
          "\"<<\": ",
          "<<: {name: x}",
          "<<: [{name: x}]",
          "=",
          "name: ",
          "secret: ",
          "keys: ",
          "cachesize: ",
          "timeout: ",
          "endpoint: ",
          "apiVersion: ",
          "kind: ",
          "resources: ",
          "providers: ",
          "identity: {}",
          "identity: ",
          "aescbc: ",
          "aesgcm: ",
          "secretbox: ",
          "kms: ",
          "v1",
          "v2",
          "3s",
          "1h",
          "0s",
          "-3s",
          "\"name\": ",
          "{\"a\":1}",
          "[]",
          "{}",
          "[~]",
          "[null]",
          "[,]",
          "{,}",
          "secrets",
          "\"*.*\"",
          "'*.'",
          "*.apps",
          "events.k8s.io",
          "unix:///x",
          "k8s\u0000");

  private final Random random;
  private final List<byte[]> seeds;

  MutatedDocuments(long seed, List<byte[]> seeds) {
    this.random = new Random(seed);
    this.seeds = List.copyOf(seeds);
  }

  byte[] next() {
    byte[] document = seeds.get(random.nextInt(seeds.size())).clone();
    int changes = 1 + random.nextInt(2);
    for (int i = 0; i < changes; i++) {
      document = changed(document);
    }
    return document;
  }

  private byte[] changed(byte[] document) {
    int at = random.nextInt(document.length + 1);
    int span = Math.min(document.length - at, random.nextInt(6));
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> replaced(document, at, 0, piece());
      case 4 -> replaced(document, at, span, piece());
      case 5 -> replaced(document, at, span, new byte[0]);
      case 6 -> replaced(document, at, Math.min(1, span), new byte[] {(byte) random.nextInt(256)});
      case 7 -> {
        byte[] other = seeds.get(random.nextInt(seeds.size()));
        int from = random.nextInt(other.length + 1);
        int to = Math.min(other.length, from + random.nextInt(60));
        yield replaced(document, at, 0, Arrays.copyOfRange(other, from, to));
      }
      case 8 -> atToken(document, piece());
      case 9 -> atToken(document, (random.nextBoolean() ? "!!str " : "&a ").getBytes(UTF_8));
      case 10 -> wordReplaced(document);
      default -> swappedLines(document);
    };
  }

  private byte[] piece() {
    return PIECES.get(random.nextInt(PIECES.size())).getBytes(UTF_8);
  }

  /// Behind a colon, a dash, a bracket or a line break, where something new is expected.
  private byte[] atToken(byte[] document, byte[] piece) {
    for (int tries = 0; tries < 50; tries++) {
      int at = random.nextInt(document.length + 1);
      if (at > 1 && " \n[{,".indexOf(document[at - 1]) >= 0) {
        return replaced(document, at, 0, piece);
      }
    }
    return document;
  }

  private byte[] wordReplaced(byte[] document) {
    int start = random.nextInt(document.length + 1);
    while (start > 0 && start < document.length && Character.isLetterOrDigit(document[start - 1])) {
      start--;
    }
    int end = start;
    while (end < document.length && Character.isLetterOrDigit(document[end])) {
      end++;
    }
    return replaced(document, start, end - start, piece());
  }

  private byte[] swappedLines(byte[] document) {
    String[] lines = new String(document, UTF_8).split("\n", -1);
    int first = random.nextInt(lines.length);
    int second = random.nextInt(lines.length);
    String kept = lines[first];
    lines[first] = lines[second];
    lines[second] = kept;
    return String.join("\n", lines).getBytes(UTF_8);
  }

  private static byte[] replaced(byte[] document, int at, int length, byte[] piece) {
    var result = new ByteArrayOutputStream();
    result.write(document, 0, at);
    result.writeBytes(piece);
    result.write(document, at + length, document.length - at - length);
    return result.toByteArray();
  }
}
