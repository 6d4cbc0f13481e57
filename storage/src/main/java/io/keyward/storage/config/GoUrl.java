package io.keyward.storage.config;

import java.util.Locale;
import java.util.Optional;

/// As much of Go's URL parser as the endpoint rule needs: the scheme, or why there is none.
final class GoUrl {
  /// Exactly one of the two is set.
  record Parsed(Optional<String> scheme, Optional<String> error) {}

  private GoUrl() {}

  static Parsed parse(String url) {
    for (int i = 0; i < url.length(); i++) {
      if (url.charAt(i) < ' ' || url.charAt(i) == 0x7f) {
        return failed(url, "net/url: invalid control character in URL");
      }
    }
    String bare = url.contains("#") ? url.substring(0, url.indexOf('#')) : url;
    int colon = schemeEnd(bare);
    if (colon == 0) {
      return failed(url, "missing protocol scheme");
    }
    String scheme = colon < 0 ? "" : bare.substring(0, colon);
    String rest = colon < 0 ? bare : bare.substring(colon + 1);
    String path = rest.contains("?") ? rest.substring(0, rest.indexOf('?')) : rest;
    // What follows a scheme without a slash is opaque; Go does not look into it.
    boolean opaque = !scheme.isEmpty() && !path.startsWith("/");
    return (opaque ? Optional.<String>empty() : problem(path, scheme.isEmpty()))
        .map(problem -> failed(url, problem))
        .orElseGet(() -> new Parsed(Optional.of(lower(scheme)), Optional.empty()));
  }

  private static Parsed failed(String url, String problem) {
    return new Parsed(Optional.empty(), Optional.of("parse \"" + url + "\": " + problem));
  }

  private static String lower(String scheme) {
    return scheme.toLowerCase(Locale.ROOT);
  }

  /// The place of the colon, or -1 where the text does not begin with a scheme.
  private static int schemeEnd(String url) {
    for (int i = 0; i < url.length(); i++) {
      char c = url.charAt(i);
      if (c == ':') {
        return i;
      }
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean later = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      if (!letter && (i == 0 || !later)) {
        return -1;
      }
    }
    return -1;
  }

  private static Optional<String> problem(String path, boolean noScheme) {
    String firstSegment = path.contains("/") ? path.substring(0, path.indexOf('/')) : path;
    if (noScheme && firstSegment.contains(":")) {
      return Optional.of("first path segment in URL cannot contain colon");
    }
    if (path.startsWith("//")) {
      int slash = path.indexOf('/', 2);
      String host = slash < 0 ? path.substring(2) : path.substring(2, slash);
      Optional<String> bad = badHost(host.substring(host.lastIndexOf('@') + 1));
      return bad.isPresent() ? bad : badEscape(path.substring(2 + host.length()));
    }
    return badEscape(path);
  }

  private static Optional<String> badHost(String host) {
    for (int i = 0; i < host.length(); i++) {
      if (" \"<>\\^`{|}".indexOf(host.charAt(i)) >= 0) {
        return Optional.of("invalid character \"" + host.charAt(i) + "\" in host name");
      }
    }
    int colon = host.lastIndexOf(':');
    if (colon >= 0 && !host.substring(colon + 1).matches("\\d*")) {
      return Optional.of("invalid port \"" + host.substring(colon) + "\" after host");
    }
    return badEscape(host);
  }

  private static Optional<String> badEscape(String text) {
    for (int i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 1)) {
      String escape = text.substring(i, Math.min(i + 3, text.length()));
      if (!escape.matches("%[0-9a-fA-F]{2}")) {
        return Optional.of("invalid URL escape \"" + escape + "\"");
      }
    }
    return Optional.empty();
  }
}
