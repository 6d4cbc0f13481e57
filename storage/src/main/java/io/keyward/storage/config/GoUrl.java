package io.keyward.storage.config;

import java.net.Inet6Address;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// As much of Go's URL parser as the endpoint rule needs: the scheme, or why there is none.
final class GoUrl {
  /// Exactly one of the two is set.
  record Parsed(Optional<String> scheme, Optional<String> error) {}

  private static final Pattern USER =
      Pattern.compile("([-A-Za-z0-9._:~!$&'()*+,;=@]|%[0-9a-fA-F]{2})*");

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
        .or(() -> badEscape(url.substring(Math.min(bare.length() + 1, url.length()))))
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
      int at = host.lastIndexOf('@');
      if (at >= 0 && !USER.matcher(host.substring(0, at)).matches()) {
        return Optional.of("net/url: invalid userinfo");
      }
      Optional<String> bad = badHost(host.substring(at + 1));
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
    if (host.contains("[")) {
      return badLiteral(host);
    }
    int colon = host.lastIndexOf(':');
    if (colon >= 0 && !host.substring(colon + 1).matches("\\d*")) {
      return Optional.of("invalid port \"" + host.substring(colon) + "\" after host");
    }
    return badHostEscape(host);
  }

  /// Brackets belong around an IPv6 address, and nowhere else.
  private static Optional<String> badLiteral(String host) {
    int end = host.lastIndexOf(']');
    if (host.lastIndexOf('[') > 0) {
      return Optional.of("invalid IP-literal");
    }
    if (end < 0) {
      return Optional.of("missing ']' in host");
    }
    if (!host.substring(end + 1).matches("(:\\d*)?")) {
      return Optional.of("invalid port \"" + host.substring(end + 1) + "\" after host");
    }
    String inside = host.substring(1, end);
    int zone = inside.indexOf("%25");
    String address = zone < 0 ? inside : inside.substring(0, zone);
    boolean emptyZone = zone >= 0 && zone + 3 == inside.length();
    return isIpv6(address) && !emptyZone
        ? zone < 0 ? Optional.empty() : badEscape(inside.substring(zone))
        : Optional.of("invalid host: ParseAddr(\"" + inside + "\"): unable to parse IP");
  }

  private static boolean isIpv6(String address) {
    try {
      return address.matches("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")
          && Inet6Address.ofLiteral(address) != null;
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }

  /// In a host name Go allows escapes of bytes that are not ASCII, and of the percent sign.
  private static Optional<String> badHostEscape(String host) {
    for (int i = host.indexOf('%'); i >= 0; i = host.indexOf('%', i + 1)) {
      String escape = host.substring(i, Math.min(i + 3, host.length()));
      if (!escape.matches("%[89a-fA-F][0-9a-fA-F]|%25")) {
        return Optional.of("invalid URL escape \"" + escape + "\"");
      }
    }
    return Optional.empty();
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
