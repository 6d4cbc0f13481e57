package io.keyward.etcd.bolt;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.bytes.Window;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A bbolt database, read only. Opening may fail; afterwards damage is noted page by page in
/// [#problems] and never throws. Not thread-safe.
public final class BoltFile {
  private static final int PAGE_HEADER = 16;
  private static final int ELEMENT = 16;
  private static final int BRANCH = 0x01;
  private static final int LEAF = 0x02;

  /// With two keys a page, 64 levels hold more than any disk.
  private static final int MAX_DEPTH = 64;

  private static final int MAX_PROBLEMS = 10_000;

  /// Most records of etcd are smaller; of larger ones the beginning tells what is asked for.
  private static final int NEAR = 1 << 12;

  private final Window file;
  private final Window elsewhere;
  private final Meta meta;
  private final Numbers numbers;
  private final Numbers numbersElsewhere;
  private final Element element;
  private final Element again;
  private final BitSet reached = new BitSet();
  private final Set<Long> walkedRoots = new HashSet<>();
  private final Set<PageProblem> problems = new LinkedHashSet<>();

  private long bytesReached;

  /// Elements of the page at hand that are whole.
  private int[] sound = new int[256];

  /// One walk sees each page once; a later walk may see it again.
  private BitSet walked = new BitSet();

  private BoltFile(Window file, Window elsewhere, Meta meta) {
    this.file = file;
    this.elsewhere = elsewhere;
    this.meta = meta;
    this.numbers = new Numbers(file, meta.order());
    this.numbersElsewhere = new Numbers(elsewhere, meta.order());
    this.element = new Element(file);
    this.again = new Element(elsewhere);
  }

  /// The segment must hold the database alone, without a snapshot's digest.
  public static BoltFile open(MemorySegment file) {
    var window = new Window(file);
    Meta.Choice choice = Meta.choose(window);
    var opened = new BoltFile(window, new Window(file), choice.meta());
    choice.damaged().ifPresent(page -> opened.note(PageProblem.Kind.BAD_META, page));
    opened.noteTruncation();
    return opened;
  }

  /// bbolt always writes every page below the high-water mark, so a shorter file was cut.
  private void noteTruncation() {
    long whole = file.fileSize() / meta.pageSize();
    if (meta.highWater() < 0 || whole < meta.highWater()) {
      note(PageProblem.Kind.TRUNCATED, whole);
    }
  }

  public Meta meta() {
    return meta;
  }

  /// What was damaged in all walks so far.
  public List<PageProblem> problems() {
    return List.copyOf(problems);
  }

  /// How much was walked so far, for a progress bar.
  public long bytesReached() {
    return bytesReached;
  }

  /// For readers of what the pages hold, who see damage that the tree does not show.
  public void note(PageProblem.Kind kind, long page) {
    var problem = new PageProblem(page, kind);
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(problem);
    }
  }

  public List<Bucket> buckets() {
    var buckets = new ArrayList<Bucket>();
    walkTree(meta.root(), false, found -> bucket(found).ifPresent(buckets::add));
    return buckets;
  }

  public Optional<Bucket> bucket(String name) {
    return buckets().stream().filter(found -> found.name().equals(ByteView.utf8(name))).findFirst();
  }

  private Optional<Bucket> bucket(Element found) {
    if (!found.isBucket() || found.valueSize() < Bucket.HEADER) {
      note(PageProblem.Kind.BAD_BUCKET, found.page());
      return Optional.empty();
    }
    return Optional.of(
        new Bucket(
            found.key(),
            numbers.int64(found.valueAt()),
            found.valueAt() + Bucket.HEADER,
            found.valueSize() - Bucket.HEADER));
  }

  /// In key order. Elements that are buckets themselves are noted: etcd has none.
  public void walk(Bucket bucket, ElementVisitor visitor) {
    walk(bucket, false, visitor);
  }

  /// The same elements, last key first.
  public void walkBack(Bucket bucket, ElementVisitor visitor) {
    walk(bucket, true, visitor);
  }

  private void walk(Bucket bucket, boolean back, ElementVisitor visitor) {
    ElementVisitor plain =
        found -> {
          if (found.isBucket()) {
            note(PageProblem.Kind.BAD_BUCKET, found.page());
          } else {
            visitor.visit(found);
          }
        };
    if (!bucket.isInline()) {
      walkTree(bucket.root(), back, plain);
    } else if (bucket.inlineSize() >= PAGE_HEADER) {
      var span = new Span(0, bucket.inlineAt(), bucket.inlineAt() + bucket.inlineSize());
      visitLeaf(span, back, plain);
    } else {
      note(PageProblem.Kind.BAD_BUCKET, 0);
    }
  }

  /// A page with its overflow, as places in the file.
  private record Span(long page, long begin, long end) {}

  private void walkTree(long root, boolean back, ElementVisitor visitor) {
    walked = new BitSet();
    walkedRoots.add(root);
    walkPage(root, 0, back, visitor);
  }

  private void walkPage(long page, int depth, boolean back, ElementVisitor visitor) {
    Optional<Span> span = span(page);
    if (span.isEmpty()) {
      return;
    }
    if (depth > MAX_DEPTH) {
      note(PageProblem.Kind.TOO_DEEP, page);
      return;
    }
    if (walked.get((int) page)) {
      note(PageProblem.Kind.SEEN_TWICE, page);
      return;
    }
    walked.set((int) page);
    int pages = (int) ((span.get().end() - span.get().begin()) / meta.pageSize());
    reached.set((int) page, (int) page + pages);
    bytesReached += span.get().end() - span.get().begin();
    switch (numbers.uint16(span.get().begin() + 8)) {
      case BRANCH -> visitBranch(span.get(), depth, back, visitor);
      case LEAF -> visitLeaf(span.get(), back, visitor);
      default -> note(PageProblem.Kind.WRONG_TYPE, page);
    }
  }

  /// Empty, and noted, where the page does not lie whole within the file.
  private Optional<Span> span(long page) {
    long begin = page * meta.pageSize();
    if (page < 0 || page >= pageCount()) {
      note(PageProblem.Kind.BEYOND_END, page);
      return Optional.empty();
    }
    file.move(begin, meta.pageSize());
    if (numbers.int64(begin) != page) {
      note(PageProblem.Kind.WRONG_ID, page);
      return Optional.empty();
    }
    long overflow = numbers.uint32(begin + 12);
    if (page + overflow >= pageCount()) {
      note(PageProblem.Kind.BEYOND_END, page);
      return Optional.empty();
    }
    return Optional.of(new Span(page, begin, begin + (overflow + 1) * meta.pageSize()));
  }

  /// Whole pages in the file below the high-water mark.
  private long pageCount() {
    long whole = Math.min(file.fileSize() / meta.pageSize(), Integer.MAX_VALUE);
    return meta.highWater() >= 0 ? Math.min(whole, meta.highWater()) : whole;
  }

  private void visitBranch(Span span, int depth, boolean back, ElementVisitor visitor) {
    int stored = numbers.uint16(span.begin() + 10);
    int count = (int) Math.min(stored, (span.end() - span.begin() - PAGE_HEADER) / ELEMENT);
    if (count < stored) {
      note(PageProblem.Kind.CUT_ELEMENT, span.page());
    }
    // Read before the window moves on to them.
    var pages = new long[count];
    file.move(span.begin(), span.end() - span.begin());
    long next = contentBegin(span, stored);
    for (int i = 0; i < count; i++) {
      long at = span.begin() + PAGE_HEADER + (long) i * ELEMENT;
      pages[i] = numbers.int64(at + 8);
      // A wrong count of elements hides a whole branch; it shows in where the keys begin.
      if (at + numbers.uint32(at) != next) {
        note(PageProblem.Kind.GAP, span.page());
      }
      next += numbers.uint32(at + 4);
    }
    for (int i = 0; i < count; i++) {
      walkPage(pages[back ? count - 1 - i : i], depth + 1, back, visitor);
    }
  }

  private void visitLeaf(Span span, boolean back, ElementVisitor visitor) {
    file.move(span.begin(), span.end() - span.begin());
    int count = numbers.uint16(span.begin() + 10);
    if (sound.length < count) {
      sound = new int[count];
    }
    int whole = 0;
    long free = contentBegin(span, count);
    for (int i = 0; i < count; i++) {
      long at = span.begin() + PAGE_HEADER + (long) i * ELEMENT;
      if (at + ELEMENT > span.end() || !place(span, at, free)) {
        note(PageProblem.Kind.CUT_ELEMENT, span.page());
      } else {
        if (element.keyAt() != free) {
          note(PageProblem.Kind.GAP, span.page());
        }
        free = element.valueAt() + element.valueSize();
        sound[whole++] = i;
      }
    }
    // Both directions show the same elements, also on a damaged page.
    for (int i = 0; i < whole; i++) {
      int place = sound[back ? whole - 1 - i : i];
      place(span, span.begin() + PAGE_HEADER + (long) place * ELEMENT, 0);
      visit(visitor);
    }
  }

  private void visit(ElementVisitor visitor) {
    int size = (int) Math.min(NEAR, (long) element.keySize() + element.valueSize());
    if (!file.holds(element.keyAt(), size)) {
      file.move(element.keyAt(), size);
    }
    visitor.visit(element);
  }

  /// An element that was visited before, by its [Element#at]. Valid until the next such call.
  public Element elementAt(long at) {
    elsewhere.move(at, ELEMENT);
    again.place(0, at, numbersElsewhere.int32(at));
    again.content(
        at + numbersElsewhere.uint32(at + 4),
        numbersElsewhere.int32(at + 8),
        numbersElsewhere.int32(at + 12));
    elsewhere.move(again.keyAt(), Math.min(NEAR, (long) again.keySize() + again.valueSize()));
    return again;
  }

  private static long contentBegin(Span span, int count) {
    return span.begin() + PAGE_HEADER + (long) count * ELEMENT;
  }

  /// Contents lie in order and never overlap. Checking it bounds the work on a damaged page.
  private boolean place(Span span, long at, long free) {
    long keyAt = at + numbers.uint32(at + 4);
    long keySize = numbers.uint32(at + 8);
    long valueSize = numbers.uint32(at + 12);
    if (keyAt < free
        || keyAt + keySize + valueSize > span.end()
        || keySize > Integer.MAX_VALUE
        || valueSize > Integer.MAX_VALUE) {
      return false;
    }
    element.place(span.page(), at, numbers.int32(at));
    element.content(keyAt, (int) keySize, (int) valueSize);
    return true;
  }

  /// Leaves that no tree reaches any more but whose bytes are still in the file. Pages that were
  /// partly used again are read as far as they go.
  public void walkResidue(ElementVisitor visitor) {
    for (Bucket bucket : buckets()) {
      // What is in use must be known first.
      if (!walkedRoots.contains(bucket.root())) {
        walk(bucket, _ -> {});
      }
    }
    int whole = (int) Math.min(file.fileSize() / meta.pageSize(), Integer.MAX_VALUE);
    for (int page = reached.nextClearBit(2); page < whole; page = reached.nextClearBit(page + 1)) {
      long begin = (long) page * meta.pageSize();
      file.move(begin, meta.pageSize());
      if (numbers.int64(begin) == page && numbers.uint16(begin + 8) == LEAF) {
        long end = Math.min(page + numbers.uint32(begin + 12) + 1, whole);
        int used = reached.nextSetBit(page);
        long free = used < 0 ? end : Math.min(end, used);
        visitResidue(new Span(page, begin, free * meta.pageSize()), visitor);
      }
    }
  }

  private void visitResidue(Span span, ElementVisitor visitor) {
    file.move(span.begin(), span.end() - span.begin());
    int count = numbers.uint16(span.begin() + 10);
    long free = contentBegin(span, count);
    for (int i = 0; i < count; i++) {
      long at = span.begin() + PAGE_HEADER + (long) i * ELEMENT;
      if (at + ELEMENT <= span.end() && place(span, at, free) && !element.isBucket()) {
        free = element.valueAt() + element.valueSize();
        visit(visitor);
      }
    }
  }
}
