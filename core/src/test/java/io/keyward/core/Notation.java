package io.keyward.core;

import io.keyward.core.model.Activity;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Problem;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.DamagedSecret;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KeyReferences;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.model.kms.ProviderSpec;
import io.keyward.core.model.kms.ReferenceData;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.model.rollout.Rollout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// The words of the decision tables.
///
/// A key is `3:aes+P8D`: serial, kind, then `+` migrated for all, `?` for `secrets` only, `!` its
/// secret is lost, `#` its secret is lost and only its socket is known, `~` its secret cannot be
/// read, `*` its secret was edited, `^` its secret was changed in place, `%` its marks were taken
/// back, `=` it was minted for the reason `because`; then how long ago it was migrated, a day if
/// nothing is said. Kinds are `id`, `aes`, `gcm`, `kmsA`, `kmsB`, and `kmsA2` for the same remote
/// key with another image and new credentials. What is wanted is a kind, with a reason behind it or
/// without; `bad` is a KMS whose Secret lacks a key, `none` a KMS without a configuration. A
/// configuration is `w3 r3,2`, the same for each resource; `w-` writes plaintext. `secrets:` before
/// it leaves the other resource out, and `configmaps: w- r1; secrets: w1 r1` says it for each.
public final class Notation {
  public static final Instant NOW = Instant.parse("2026-01-15T00:00:00Z");
  public static final Resource SECRETS = Resource.parse("secrets");
  public static final Resource CONFIGMAPS = Resource.parse("configmaps");
  public static final String WITNESS = "a/7@1,b/7@1";
  public static final TreeSet<String> NODES = new TreeSet<>(List.of("a", "b"));

  private final Map<Long, Key> keys = new TreeMap<>();
  private final List<Key> secrets = new ArrayList<>();
  private final List<DamagedSecret> damaged = new ArrayList<>();
  private RequestedEncryption wanted =
      RequestedEncryption.plain(Mode.IDENTITY, List.of(SECRETS, CONFIGMAPS));
  private Rollout rollout = new Rollout.Rolling("pods");
  private Optional<EncryptionLayout> published = Optional.empty();
  private Activity activity = Activity.NONE;
  private Settings settings = Settings.DEFAULT;
  private final TreeSet<String> unreachable = new TreeSet<>();
  private final TreeMap<KeySerial, KeyReferences> references = new TreeMap<>();
  private Revisions revisions = Revisions.NONE;

  public Notation wanted(String text) {
    String[] words = text.split(" ", 2);
    return wanted(words[0], words.length == 2 ? words[1] : "", "configmaps,secrets");
  }

  public Notation wanted(String kind, String reason, String resources) {
    var list = new TreeSet<Resource>();
    if (!resources.equals("-")) {
      List.of(resources.split(",", -1)).forEach(name -> list.add(Resource.parse(name)));
    }
    Mode mode = mode(kind);
    boolean bad = kind.equals("bad");
    wanted =
        new RequestedEncryption(
            mode,
            mode == Mode.KMS && !bad && !kind.equals("none")
                ? Optional.of(kms(kind))
                : Optional.empty(),
            reason,
            bad ? Optional.of("secret vault-approle has no secret-id") : Optional.empty(),
            list);
    return this;
  }

  public static Mode mode(String kind) {
    return switch (kind) {
      case "id" -> Mode.IDENTITY;
      case "aes" -> Mode.AESCBC;
      case "gcm" -> Mode.AESGCM;
      default -> Mode.KMS;
    };
  }

  public static RequestedEncryption.Kms kms(String kind) {
    var fields = new TreeMap<String, String>();
    fields.put("vaultKeyPath", "transit/keys/" + kind.substring(0, 4));
    fields.put("kmsPluginImage", "image-" + kind);
    var secret = new TreeMap<String, DataValue>();
    secret.put(
        "approle_secret-id",
        DataValue.copyOf((kind.endsWith("2") ? "new" : "old").getBytes(StandardCharsets.UTF_8)));
    return new RequestedEncryption.Kms(
        new KmsPluginConfig("document " + kind, new ProviderSpec("Vault", fields)),
        new ReferenceData(secret),
        ReferenceData.NONE,
        new Fingerprint((kind + "________").substring(0, 8)));
  }

  public Notation keys(String text) {
    if (!text.equals("-")) {
      List.of(text.split(" ", -1)).forEach(this::key);
    }
    return this;
  }

  private void key(String word) {
    int colon = word.indexOf(':');
    int end = colon + 1;
    while (end < word.length() && Character.isLetterOrDigit(word.charAt(end))) {
      end++;
    }
    var serial = new KeySerial(Long.parseLong(word.substring(0, colon)));
    String marks = word.substring(end);
    Key key = build(serial, word.substring(colon + 1, end), marks);
    keys.put(serial.value(), key);
    if (marks.contains("~")) {
      damaged.add(
          new DamagedSecret("key-" + serial, Optional.of(serial), new Problem("key", "bad")));
    } else if (marks.contains("*")) {
      secrets.add(edited(key));
    } else if (marks.contains("^")) {
      secrets.add(key.with(kms("kmsA2").keyFor(serial)));
    } else if (!marks.contains("!") && !marks.contains("#")) {
      secrets.add(key);
    }
  }

  private static Key build(KeySerial serial, String kind, String marks) {
    Mode mode = mode(kind);
    byte[] bytes = new byte[32];
    bytes[0] = (byte) serial.value();
    Optional<KmsKey> kms =
        mode != Mode.KMS
            ? Optional.empty()
            : Optional.of(marks.contains("#") ? socket(serial) : kms(kind).keyFor(serial));
    var resources = new TreeSet<Resource>();
    if (marks.contains("+")) {
      resources.add(CONFIGMAPS);
    }
    if (marks.contains("+") || marks.contains("?")) {
      resources.add(SECRETS);
    }
    int age = marks.indexOf('P');
    Duration ago = age < 0 ? Duration.ofDays(1) : Duration.parse(marks.substring(age));
    Optional<Instant> at =
        resources.isEmpty() && !marks.contains("%")
            ? Optional.empty()
            : Optional.of(NOW.minus(ago));
    return new Key(
        serial,
        mode,
        mode.isLocal() ? KeyMaterial.copyOf(bytes) : Key.NULL_MATERIAL,
        true,
        kms,
        new Migrated(resources, at, new TreeMap<>()),
        "",
        marks.contains("=") ? "because" : "",
        marks.contains("-")
            ? KeyStage.READ_ONLY
            : marks.contains("/") ? KeyStage.RETRACTED : KeyStage.WRITE);
  }

  private static KmsKey socket(KeySerial serial) {
    return new KmsKey(
        KmsEndpoint.of(serial), Optional.empty(), ReferenceData.NONE, ReferenceData.NONE);
  }

  private static Key edited(Key key) {
    return key.mode() == Mode.KMS
        ? key.with(kms("kmsZ").keyFor(key.serial()))
        : new Key(
            key.serial(),
            key.mode(),
            KeyMaterial.copyOf(new byte[] {9}),
            true,
            key.kms(),
            key.migrated(),
            "",
            "");
  }

  public Notation rollout(String text) {
    rollout =
        switch (text) {
          case "rolling" -> new Rollout.Rolling("pod a is not ready");
          case "failing" -> new Rollout.Rolling("node a cannot", Optional.empty(), true);
          case "stuck" -> new Rollout.Stuck("pod a failed");
          case "existing" ->
              new Rollout.Unknown(Blocker.EXISTING_ENCRYPTION, "node a has aescbc for secrets");
          case "unknown" -> new Rollout.Unknown(Blocker.UNKNOWN_REVISION, "node a runs revision 9");
          case "-" -> new Rollout.Converged(7, Optional.empty(), WITNESS, NODES);
          default -> new Rollout.Converged(7, Optional.of(layout(text)), WITNESS, NODES);
        };
    return this;
  }

  public Notation published(String text) {
    published =
        switch (text) {
          case "-" -> Optional.empty();
          case "=" ->
              rollout instanceof Rollout.Converged(_, var layout, _, _) ? layout : Optional.empty();
          default -> Optional.of(layout(text));
        };
    return this;
  }

  /// The configuration of the newest revision.
  public Notation newest(String text) {
    revisions =
        new Revisions(
            Optional.empty(),
            new Revisions.Manifest.Unused(),
            8,
            Optional.of("newest"),
            List.of(),
            Optional.empty(),
            List.of(),
            new TreeSet<>(),
            Optional.of(layout(text)));
    return this;
  }

  public EncryptionLayout layout(String text) {
    var stacks = new TreeMap<Resource, KeyStack>();
    for (String part : text.split("; ", -1)) {
      int colon = part.indexOf(':');
      String body = part.substring(colon + 1).strip();
      (colon < 0 ? List.of(CONFIGMAPS, SECRETS) : List.of(Resource.parse(part.substring(0, colon))))
          .forEach(resource -> stacks.put(resource, stack(resource, body)));
    }
    return new EncryptionLayout(stacks);
  }

  private KeyStack stack(Resource resource, String text) {
    String[] words = text.split(" ", -1);
    String write = words[0].substring(1);
    var slots = new ArrayList<KeyStack.Slot>();
    String reads = words[1].substring(1);
    for (String serial : reads.isEmpty() ? List.<String>of() : List.of(reads.split(",", -1))) {
      Key key =
          keys.getOrDefault(
              Long.valueOf(serial), build(new KeySerial(Long.parseLong(serial)), "aes", ""));
      slots.add(
          new KeyStack.Slot(
              Key.unbacked(key.serial(), key.mode(), key.material(), key.kms()),
              key.mode() == Mode.KMS ? serial + "_" + resource.name() : ""));
    }
    return new KeyStack(
        write.equals("-") ? Optional.empty() : Optional.of(new KeySerial(Long.parseLong(write))),
        slots);
  }

  /// What the references of keys contain now: `2:kmsB2`, or `2:missing`.
  public Notation references(String text) {
    for (String word : text.equals("-") ? List.<String>of() : List.of(text.split(" ", -1))) {
      String[] parts = word.split(":", -1);
      references.put(
          new KeySerial(Long.parseLong(parts[0])),
          parts[1].equals("missing")
              ? new KeyReferences.Missing("secret vault-approle does not exist")
              : contents(kms(parts[1])));
    }
    return this;
  }

  private static KeyReferences contents(RequestedEncryption.Kms kms) {
    return new KeyReferences.Contents(kms.secrets(), kms.configMaps(), kms.config());
  }

  /// `passed`, `failed` or `stale`, each with the kind it was for. Several are separated by commas;
  /// the first one is of what is requested.
  public Notation preflight(String text) {
    var results = new ArrayList<PreflightState.Result>();
    for (String one : text.equals("-") ? List.<String>of() : List.of(text.split(", ", -1))) {
      results.add(result(one));
    }
    activity =
        new Activity(
            activity.migrations(),
            new PreflightState(
                Optional.empty(),
                results.stream().findFirst(),
                Optional.empty(),
                results.stream().skip(1).toList()),
            activity.reports(),
            activity.audit());
    return this;
  }

  private static PreflightState.Result result(String text) {
    String[] words = text.split(" ", -1);
    Instant at = words[0].equals("stale") ? NOW.minus(Duration.ofHours(2)) : NOW;
    return new PreflightState.Result(
        !words[0].equals("failed"),
        kms(words[1]).config(),
        Optional.empty(),
        Optional.of(at),
        1,
        words[0].equals("failed") ? "403" : "");
  }

  public Notation preflight(PreflightState state) {
    activity = new Activity(activity.migrations(), state, activity.reports(), activity.audit());
    return this;
  }

  public Notation migrations(List<MigrationStatus> running) {
    var all = new TreeMap<Resource, MigrationStatus>();
    running.forEach(migration -> all.put(migration.resource(), migration));
    activity = new Activity(all, activity.preflight(), activity.reports(), activity.audit());
    return this;
  }

  public Notation reports(List<HealthReport> reports) {
    activity = new Activity(activity.migrations(), activity.preflight(), reports, activity.audit());
    return this;
  }

  public Notation activity(Activity other) {
    activity = other;
    return this;
  }

  public Notation settings(Settings other) {
    settings = other;
    return this;
  }

  /// Only the last report of this node is known.
  public Notation unreachable(String node) {
    unreachable.add(node);
    return this;
  }

  public ObservedState state() {
    return new ObservedState(
        NOW,
        "server",
        wanted,
        new Stored(secrets, damaged, published, references),
        rollout,
        activity,
        List.of(),
        settings,
        unreachable,
        revisions);
  }

  /// `w3 r3,2`, or one for each resource where they differ.
  public static String show(EncryptionLayout layout) {
    var texts = new TreeMap<String, String>();
    layout.stacks().forEach((resource, stack) -> texts.put(resource.canonical(), show(stack)));
    return texts.size() == 2 && new TreeSet<>(texts.values()).size() == 1
        ? texts.firstEntry().getValue()
        : String.join(
            "; ", texts.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()).toList());
  }

  private static String show(KeyStack stack) {
    return "w"
        + stack.write().map(KeySerial::toString).orElse("-")
        + " r"
        + String.join(",", stack.reads().stream().map(slot -> slot.serial().toString()).toList());
  }
}
