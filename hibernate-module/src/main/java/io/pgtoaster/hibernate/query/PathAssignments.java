package io.pgtoaster.hibernate.query;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.Token;
import org.hibernate.grammars.hql.HqlLexer;
import org.hibernate.query.hql.internal.HqlParseTreeBuilder;

/**
 * Rewrites assignments to paths so that HQL's grammar accepts them: {@code set p.doc['a'] = 1,
 * p.doc['b'] = 2} assigns one document that is edited twice.
 */
final class PathAssignments {
  private static final String FUNCTION = KeyedEdit.Kind.SET_AT.functionName();

  private final String query;
  private final List<Token> tokens;
  private int at;

  private PathAssignments(String query) {
    this.query = query;
    this.tokens = tokens(query);
  }

  /** Returns the tokens of a query, without white space. Their positions count code points. */
  static List<Token> tokens(String query) {
    return HqlParseTreeBuilder.INSTANCE.buildHqlLexer(query).getAllTokens().stream()
        .filter(token -> token.getChannel() == Token.DEFAULT_CHANNEL)
        .map(Token.class::cast)
        .toList();
  }

  /** Returns the rewritten query, unchanged if it assigns to no path. */
  static String rewritten(String query) {
    PathAssignments assignments = new PathAssignments(query);
    return assignments.moveAfterSet() ? assignments.rewritten() : query;
  }

  /** Moves to the token after the SET of an UPDATE, or of an INSERT with ON CONFLICT. */
  private boolean moveAfterSet() {
    boolean update = type(0) == HqlLexer.UPDATE;
    if (!update && type(0) != HqlLexer.INSERT) {
      return false;
    }
    // Start after the entity name, which may be "Set".
    for (at = 2; at < tokens.size(); at++) {
      go(HqlLexer.SET);
      if (type(at) == HqlLexer.SET && (update || type(at - 1) == HqlLexer.UPDATE)) {
        at++;
        return true;
      }
    }
    return false;
  }

  private String rewritten() {
    Map<String, String> assigned = new LinkedHashMap<>();
    int begin = at;
    boolean paths = false;
    do {
      int target = at;
      go(HqlLexer.EQUAL, HqlLexer.COMMA, HqlLexer.WHERE);
      int equal = at;
      int value = ++at;
      go(HqlLexer.COMMA, HqlLexer.WHERE);
      int end = at;
      if (type(equal) != HqlLexer.EQUAL || end == value) {
        return query; // not HQL; Hibernate reports it
      }
      String text = text(value, end);
      int bracket = target;
      while (bracket < equal && type(bracket) != HqlLexer.LEFT_BRACKET) {
        bracket++;
      }
      String attribute = joined(target, bracket);
      if (bracket == equal) {
        assigned.put(attribute, text);
      } else {
        paths = true;
        assigned.put(
            attribute,
            "%s(%s, %s%s)"
                .formatted(
                    FUNCTION,
                    assigned.getOrDefault(attribute, attribute),
                    text,
                    steps(bracket, equal)));
      }
      at = end;
    } while (type(at++) == HqlLexer.COMMA);
    at--;
    return paths
        ? query.substring(0, start(begin))
            + String.join(
                ", ",
                assigned.entrySet().stream().map(e -> e.getKey() + " = " + e.getValue()).toList())
            + (at < tokens.size() ? " " + query.substring(start(at)) : "")
        : query;
  }

  /** Returns the steps of a path, each after a comma. */
  private String steps(int from, int to) {
    StringBuilder steps = new StringBuilder();
    at = from;
    while (at < to) {
      int step = at + 1;
      if (type(at) == HqlLexer.LEFT_BRACKET) {
        at = step;
        go(HqlLexer.RIGHT_BRACKET);
        steps.append(", ").append(text(step, at));
      } else {
        String name = tokens.get(step).getText();
        steps.append(", '").append(name.replace("`", "").replace("'", "''")).append("'");
        at = step;
      }
      at++;
    }
    return steps.toString();
  }

  /** Moves to the next token of one of the types outside brackets, or past the last token. */
  private void go(int... types) {
    int depth = 0;
    for (; at < tokens.size(); at++) {
      int type = type(at);
      if (depth == 0 && Arrays.stream(types).anyMatch(t -> t == type)) {
        return;
      }
      switch (type) {
        case HqlLexer.LEFT_PAREN, HqlLexer.LEFT_BRACKET, HqlLexer.LEFT_BRACE -> depth++;
        case HqlLexer.RIGHT_PAREN, HqlLexer.RIGHT_BRACKET, HqlLexer.RIGHT_BRACE -> depth--;
        default -> {}
      }
    }
  }

  private int type(int token) {
    return token < tokens.size() ? tokens.get(token).getType() : Token.EOF;
  }

  /** Returns where a token begins in the query. */
  private int start(int token) {
    return query.offsetByCodePoints(0, tokens.get(token).getStartIndex());
  }

  private String text(int from, int to) {
    return query.substring(
        start(from), query.offsetByCodePoints(0, tokens.get(to - 1).getStopIndex() + 1));
  }

  private String joined(int from, int to) {
    return String.join("", tokens.subList(from, to).stream().map(Token::getText).toList());
  }
}
