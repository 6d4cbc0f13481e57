package io.keyward.kms.aws;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How a key of AWS KMS is named: by ARN, by alias, or by a bare id.
record AwsKeyName(String value) {
  private static final Pattern ARN =
      Pattern.compile("(arn:[a-z0-9-]+:kms):([a-z0-9-]+):([0-9]{12}):(key|alias)/(\\S+)");
  private static final Pattern BARE = Pattern.compile("alias/\\S+|[A-Za-z0-9-]{8,64}");

  AwsKeyName {
    if (value.length() > 2048 || !(ARN.matcher(value).matches() || BARE.matcher(value).matches())) {
      throw new IllegalArgumentException(
          "must be a key ARN, an alias ARN, alias/NAME or a key id: " + value);
    }
  }

  Optional<String> region() {
    return part(2);
  }

  boolean isAlias() {
    return value.startsWith("alias/") || part(4).filter("alias"::equals).isPresent();
  }

  boolean isKeyArn() {
    return part(4).filter("key"::equals).isPresent();
  }

  /// A key with replicas in several regions, all with one id and the same key material.
  boolean isMultiRegion() {
    return isKeyArn() && part(5).filter(id -> id.startsWith("mrk-")).isPresent();
  }

  /// The replica in another region; a name without a region is the same everywhere.
  AwsKeyName in(String region) {
    Matcher arn = ARN.matcher(value);
    if (!arn.matches()) {
      return this;
    }
    String rest = arn.group(3) + ":" + arn.group(4) + "/" + arn.group(5);
    return new AwsKeyName(arn.group(1) + ":" + region + ":" + rest);
  }

  /// What a `key_id` is made of: the ARN. Replicas of a multi-region key are one key, so that what
  /// one region wrapped can be read with another.
  String identity() {
    return isMultiRegion() ? in("any").value() : value;
  }

  private Optional<String> part(int group) {
    Matcher arn = ARN.matcher(value);
    return arn.matches() ? Optional.of(arn.group(group)) : Optional.empty();
  }
}
