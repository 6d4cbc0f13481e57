package io.keyward.testbed.binary;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A release of Go, such as 1.26.8.
record GoVersion(int major, int minor, int patch) implements Comparable<GoVersion> {
  private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)(?:\\.(\\d+))?");

  /// What a development build calls itself has no number: it counts as newer than every release.
  private static final GoVersion DEVELOPMENT = new GoVersion(Integer.MAX_VALUE, 0, 0);

  static GoVersion parse(String text) {
    Matcher found = RELEASE.matcher(text);
    if (!found.find()) {
      return DEVELOPMENT;
    }
    int patch = found.group(3) == null ? 0 : Integer.parseInt(found.group(3));
    return new GoVersion(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)), patch);
  }

  @Override
  public int compareTo(GoVersion other) {
    int byMajor = Integer.compare(major, other.major);
    int byMinor = byMajor != 0 ? byMajor : Integer.compare(minor, other.minor);
    return byMinor != 0 ? byMinor : Integer.compare(patch, other.patch);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
