package io.keyward.storage.config.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The places at which a key without `?` may have started, one per level of flow collections.
final class SimpleKeys {
  /// A key and its `:` stand on one line, and no further apart than this.
  private static final int MAX_LENGTH = 1024;

  record Key(boolean possible, boolean required, int token, Mark mark) {
    Key impossible() {
      return new Key(false, required, token, mark);
    }
  }

  private final List<Key> levels = new ArrayList<>();
  private final Map<Integer, Integer> levelOfToken = new HashMap<>();

  void push(int token, Mark mark) {
    levels.add(new Key(false, false, token, mark));
  }

  void pop() {
    levelOfToken.remove(levels.removeLast().token());
  }

  Key top() {
    return levels.getLast();
  }

  void save(Key key, Mark now) {
    remove(now);
    levels.set(levels.size() - 1, key);
    levelOfToken.put(key.token(), levels.size() - 1);
  }

  /// Forgets the key of this level.
  void remove(Mark now) {
    Key key = top();
    if (key.possible()) {
      refuseRequired(key, now);
      forget();
    }
  }

  void forget() {
    Key key = levels.removeLast();
    levels.add(key.impossible());
    levelOfToken.remove(key.token());
  }

  /// Whether the token may still turn out to be a key.
  boolean mayStartAt(int token, Mark now) {
    Integer level = levelOfToken.get(token);
    return level != null && isValid(level, now);
  }

  boolean topIsValid(Mark now) {
    return isValid(levels.size() - 1, now);
  }

  private boolean isValid(int level, Mark now) {
    Key key = levels.get(level);
    if (!key.possible()) {
      return false;
    }
    if (key.mark().line() < now.line() || key.mark().index() + MAX_LENGTH < now.index()) {
      refuseRequired(key, now);
      levels.set(level, key.impossible());
      return false;
    }
    return true;
  }

  private static void refuseRequired(Key key, Mark now) {
    if (key.required()) {
      throw new SyntaxException("A ':' is missing after a key.", now.line() + 1);
    }
  }
}
