package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbSize;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How changed content goes back into a branch: as the same leaf, as several, merged with a
 * neighbour, or not at all.
 */
final class LeafFit {
  private final SplitPolicy policy;
  private final List<Node> chain;
  private final JsonNode tree;
  private final long bytes;
  private final boolean counted;

  private LeafFit(SplitPolicy policy, List<Node> chain, JsonNode tree, boolean counted) {
    this.policy = policy;
    this.chain = chain;
    this.tree = tree;
    this.bytes = JsonbSize.size(tree);
    this.counted = counted;
  }

  static LeafFit of(SplitPolicy policy, List<Node> chain, JsonNode tree) {
    Node leaf = chain.get(chain.size() - 1);
    boolean counted = false;
    if (leaf.kind() == 'a' && chain.size() > 1) {
      List<Child> siblings = chain.get(chain.size() - 2).children();
      counted = siblings.stream().anyMatch(c -> c.id() == leaf.id() && c.count() != tree.size());
    }
    return new LeafFit(policy, chain, tree, counted);
  }

  private boolean splits() {
    return policy.splits(bytes) && tree.size() > 0;
  }

  private boolean folds() {
    return chain.size() > 1 && (tree.isEmpty() || policy.folds(bytes));
  }

  /** Whether nodes above the leaf change, so that the root of the branch is to be locked. */
  boolean structural() {
    return counted || splits() || folds();
  }

  void write(Siblings siblings, BranchEdit branch) throws SQLException {
    if (splits()) {
      branch.replace(chain, 1, branch.pieces(tree));
    } else if (tree.isEmpty() && chain.size() > 1) {
      branch.replace(chain, 1, List.of());
    } else if (!folds() || !merge(siblings, branch)) {
      branch.replace(chain, 1, List.of(branch.piece(tree)));
    }
  }

  /** Merges with the next leaf, or the one before; false if there is none or it is too big. */
  private boolean merge(Siblings siblings, BranchEdit branch) throws SQLException {
    Node leaf = chain.get(chain.size() - 1);
    List<Child> row = chain.get(chain.size() - 2).children();
    int at = 0;
    while (row.get(at).id() != leaf.id()) {
      at++;
    }
    boolean next = at + 1 < row.size();
    if (!next && at == 0) {
      return false;
    }
    Node other = siblings.lock(row.get(next ? at + 1 : at - 1).id());
    String text = other == null ? null : other.text();
    if (other == null || text == null || !policy.fitTogether(bytes + other.bytes())) {
      return false;
    }
    JsonNode neighbour = Json.readStored(text);
    JsonNode merged = next ? joined(tree, neighbour) : joined(neighbour, tree);
    if (merged == null) {
      return false;
    }
    List<Node> path = new ArrayList<>(chain);
    if (!next) {
      path.set(path.size() - 1, other);
    }
    branch.replace(path, 2, List.of(branch.piece(merged)));
    return true;
  }

  private static @Nullable JsonNode joined(JsonNode first, JsonNode second) {
    if (first instanceof ArrayNode left && second instanceof ArrayNode right) {
      return left.addAll(right);
    }
    if (first instanceof ObjectNode left && second instanceof ObjectNode right) {
      return left.setAll(right);
    }
    return null;
  }
}
