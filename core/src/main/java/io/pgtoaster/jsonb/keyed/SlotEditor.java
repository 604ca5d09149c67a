package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.jsonb.DocumentPath;
import io.pgtoaster.jsonb.EditOutcome;
import io.pgtoaster.jsonb.JsonEdit;
import io.pgtoaster.jsonb.JsonInfo;
import io.pgtoaster.jsonb.JsonType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes one slot: a member of an object or a position in an array. Looks first and computes what
 * is to be written; then takes the locks that this takes; and if what it looked at has changed
 * meanwhile, looks again, with the locks held. One instance per call.
 */
final class SlotEditor {
  private static final int MAX_ATTEMPTS = 100;
  private static final String SCALAR = "a scalar has no paths that could be changed";
  private static final Steps ROOT = new Steps(List.of());

  private final KeyedStore store;
  private final Connection connection;
  private final RowKey key;
  private final Locks locks;
  private JsonEdit.@Nullable Conditional condition;

  SlotEditor(KeyedStore store, Connection connection, RowKey key) {
    this.store = store;
    this.connection = connection;
    this.key = key;
    this.locks = new Locks(store, connection, key);
  }

  EditOutcome edit(JsonEdit given) throws SQLException {
    JsonEdit edit = given;
    if (given instanceof JsonEdit.Conditional conditional) {
      condition = conditional;
      edit = conditional.edit();
    }
    Steps steps = new Steps(edit.path().steps());
    if (edit instanceof JsonEdit.Concat) {
      steps = steps.plus("-1");
    }
    if (steps.length() == 0) {
      return atRoot();
    }
    JsonEdit now = edit;
    Steps path = steps;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Walk walk = Walk.of(store, connection, key, path);
      if (walk.stub() == null && walk.document() == null) {
        return missed();
      }
      if (walk.document() != null && walk.generation() == null) {
        throw new DocumentCorruptException(ValueRows.NOT_OWNED);
      }
      if (!reached(walk, path)) {
        if (missed().conflict()) {
          return EditOutcome.CONFLICT;
        }
        JsonEdit beside = beside(walk, path, now);
        if (beside == null) {
          return EditOutcome.MISSED;
        }
        now = beside;
        path = new Steps(beside.path().steps());
        continue;
      }
      int leaf = walk.leaf();
      EditOutcome outcome = leaf == 0 ? inRow(walk, path, now) : inLeaf(walk, leaf, path, now);
      if (outcome != null) {
        return outcome;
      }
      now = edit;
      path = steps;
    }
    throw new ConcurrencyException("other writers kept changing the place of the edit; try again");
  }

  /** What is to be said where there is nothing: a conflict if something was expected. */
  private EditOutcome missed() {
    return condition == null || condition.holds(null) ? EditOutcome.MISSED : EditOutcome.CONFLICT;
  }

  /**
   * Whether an edit conflicts with what is there: a value that has left is read and compared as a
   * whole, under the lock of the head alone.
   */
  private boolean conflicts(Change change) throws SQLException {
    if (condition == null || !change.undecided()) {
      return false;
    }
    Steps path = new Steps(condition.path().steps());
    try (InputStream text = new Reads(store).open(connection, key, path, null, 0)) {
      return !condition.holds(text == null ? null : Json.readTree(text));
    } catch (IOException e) {
      throw e.getCause() instanceof RuntimeException known ? known : new UncheckedIOException(e);
    }
  }

  /** The root is no slot: nothing happens, but on a scalar, which PostgreSQL refuses. */
  private EditOutcome atRoot() throws SQLException {
    Optional<JsonInfo> root = new Reads(store).describe(connection, key, ROOT, false);
    if (root.isPresent() && !isContainer(root.get().type())) {
      throw new InvalidPathException(SCALAR);
    }
    return EditOutcome.MISSED;
  }

  private static boolean isContainer(JsonType type) {
    return type == JsonType.OBJECT || type == JsonType.ARRAY;
  }

  /** Whether the walk has come to the container of the last step. */
  private static boolean reached(Walk walk, Steps path) {
    Walk.Hop last = walk.last();
    return last.step() == path.length() - 1 && last.type() != null;
  }

  /**
   * What to do where the container was not reached: an edit at the end of an array whose position
   * is beyond it, or nothing.
   */
  private static @Nullable JsonEdit beside(Walk walk, Steps path, JsonEdit edit) {
    List<Walk.Hop> hops = walk.hops();
    Walk.Hop from = hops.get(Math.max(hops.size() - 2, 0));
    if (looksLikeGet(edit) || isNoOpOnEmpty(edit, from)) {
      return null;
    }
    if (from.isArray() && !path.isPosition(from.step())) {
      throw new InvalidPathException(
          "the path meets an array at step "
              + (from.step() + 1)
              + ", where it does not say a position");
    }
    if (from.step() == 0 && !from.isContainer()) {
      throw new InvalidPathException(SCALAR);
    }
    boolean lastStep = from.step() == path.length() - 1;
    if (!lastStep || !from.isInner() || !from.isArray()) {
      return null;
    }
    boolean front = path.last().trim().startsWith("-");
    DocumentPath end = new DocumentPath(path.withLast(front ? "0" : "-1").given());
    if (edit instanceof JsonEdit.Insert insert) {
      return new JsonEdit.Insert(end, insert.value(), !front);
    }
    if (edit instanceof JsonEdit.Set set && set.createMissing()) {
      return new JsonEdit.Insert(end, set.value(), !front);
    }
    return null;
  }

  /** Whether an edit finds its place as {@code #>} does, which fails for no path. */
  private static boolean looksLikeGet(JsonEdit edit) {
    return edit instanceof JsonEdit.Concat || edit instanceof JsonEdit.Increment;
  }

  /** PostgreSQL does not look at the path where the root is empty and nothing would be added. */
  private static boolean isNoOpOnEmpty(JsonEdit edit, Walk.Hop from) {
    boolean adds =
        edit instanceof JsonEdit.Insert
            || (edit instanceof JsonEdit.Set set && set.createMissing());
    return !adds && from.step() == 0 && from.empty();
  }

  /** A scalar has no slots: nothing happens, but where it is the root, which PostgreSQL refuses. */
  private static EditOutcome inScalar(Walk.Hop hop, JsonEdit edit) {
    if (hop.step() == 0 && !looksLikeGet(edit)) {
      throw new InvalidPathException(SCALAR);
    }
    return EditOutcome.MISSED;
  }

  /** Nothing is expected where an element is added behind or before all others. */
  private JsonEdit.@Nullable Conditional conditionOf(JsonEdit edit) {
    return edit instanceof JsonEdit.Insert ? null : condition;
  }

  private @Nullable EditOutcome inRow(Walk walk, Steps path, JsonEdit edit) throws SQLException {
    String stub = Objects.requireNonNull(walk.stub(), "stub");
    Change change =
        Change.of(stub, walk.within(0, path), edit, conditionOf(edit), walk.document() != null);
    if (!change.outcome().applied()) {
      return change.outcome();
    }
    if (change.undecided() && edit instanceof JsonEdit.Increment increment) {
      return incrementMoved(increment);
    }
    Locks.Row row = locks.row();
    if (!stub.equals(row.document())) {
      return null;
    }
    boolean drops = !change.dropped().isEmpty();
    Long document = walk.document();
    if (!locks.allSame(walk, drops, List.of())) {
      return null;
    }
    if (conflicts(change)) {
      return EditOutcome.CONFLICT;
    }
    new RowWriter(store, connection, key, document).write(stub, change.tree(), row.otherBytes());
    if (document != null && drops) {
      drop(document, change.dropped());
    }
    return change.outcome();
  }

  private @Nullable EditOutcome inLeaf(Walk walk, int leafHop, Steps path, JsonEdit edit)
      throws SQLException {
    List<Node> chain = walk.chain(leafHop);
    Node leaf = chain.get(chain.size() - 1);
    Long document = walk.document();
    String text = leaf.text();
    if (document == null || text == null) {
      throw new IllegalStateException("a leaf outside of a split document");
    }
    if (leaf.kind() != 'a' && leaf.kind() != 'o') {
      return missed().conflict() ? EditOutcome.CONFLICT : inScalar(walk.hops().get(leafHop), edit);
    }
    Change change = Change.of(text, walk.within(leafHop, path), edit, conditionOf(edit), true);
    if (!change.outcome().applied()) {
      return change.outcome();
    }
    if (change.undecided() && edit instanceof JsonEdit.Increment increment) {
      return incrementMoved(increment);
    }
    boolean drops = !change.dropped().isEmpty();
    LeafFit fit = LeafFit.of(store.policy(), chain, change.tree());
    if (store.touch()) {
      locks.row();
    }
    if (!locks.allSame(walk, drops, fit.structural() ? chain : List.of(leaf))) {
      return null;
    }
    if (conflicts(change)) {
      return EditOutcome.CONFLICT;
    }
    try (NodeWriter writer = new NodeWriter(connection, store.sql(), () -> document)) {
      BranchEdit branch = new BranchEdit(store.policy(), writer);
      fit.write(new Siblings(store, connection, locks, document), branch);
      writer.flush();
      if (!branch.removed().isEmpty()) {
        Statements.delete(connection, store.sql().deleteNodes, document, branch.removed());
      }
    }
    if (drops) {
      drop(document, change.dropped());
    }
    if (store.touch()) {
      Statements.touch(connection, store, key);
    }
    return change.outcome();
  }

  /**
   * Adds to a number that has left: it is read while other writers are kept away, and the sum is
   * set in its place. Null if the value has gone meanwhile.
   */
  private @Nullable EditOutcome incrementMoved(JsonEdit.Increment edit) throws SQLException {
    Steps path = new Steps(edit.path().steps());
    Reads reads = new Reads(store);
    // What is no number may be of any size, and is refused by its type.
    Optional<JsonInfo> there = reads.describe(connection, key, path, false);
    if (there.isPresent() && there.get().type() != JsonType.NUMBER) {
      throw JsonChanges.notANumber();
    }
    locks.document();
    InputStream text = reads.open(connection, key, path, null, 0);
    if (text == null) {
      return null;
    }
    BigDecimal sum = JsonChanges.sum(Json.readTree(text), edit.delta());
    EditOutcome set =
        new SlotEditor(store, connection, key)
            .edit(new JsonEdit.Set(edit.path(), JsonChanges.number(sum), false));
    return new EditOutcome(set.applied(), sum);
  }

  private void drop(long document, Ids branches) throws SQLException {
    Statements.delete(connection, store.sql().deleteBranches, document, branches);
    Statements.execute(connection, store.sql().bumpGeneration, document);
  }
}
