package io.pgtoaster.hibernate.query;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.hibernate.internal.SqlArrays;
import io.pgtoaster.hibernate.jsonb.ColumnSettings;
import io.pgtoaster.internal.sql.Identifiers;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.tree.SqlAstNode;
import org.hibernate.sql.ast.tree.expression.Literal;

/** Writes the SQL for paths. */
record PathSql(SqlAppender sql, SqlAstTranslator<?> translator) {
  /**
   * Kinds of access to a path: the operators of plain jsonb before the last member and before an
   * array of steps, and the function that also reads members out of line.
   */
  enum Access {
    TEXT("->>", "#>>", "pgtoaster.get_text"),
    JSON("->", "#>", "pgtoaster.get");

    private final String member;
    private final String path;
    private final String function;

    Access(String member, String path, String function) {
      this.member = member;
      this.path = path;
      this.function = function;
    }
  }

  private static final Pattern POSITION = Pattern.compile("-?[0-9]+");

  /** Writes the value at a path that is given as one literal. */
  void path(SqlAstNode document, SqlAstNode path, Access access) {
    fixed(document, literalSteps(path), access);
  }

  static List<String> literalSteps(SqlAstNode path) {
    return DocumentPath.parse(String.valueOf(((Literal) path).getLiteralValue())).steps();
  }

  /** Writes the value at a path that is given step by step. */
  void steps(SqlAstNode document, List<? extends SqlAstNode> steps, Access access) {
    List<String> literals = leading(steps);
    if (literals.size() == steps.size()) {
      fixed(document, literals, access);
      return;
    }
    boolean inline = settings(document).keeps(literals);
    sql.append(inline ? "(" : access.function + "(");
    document.accept(translator);
    sql.append(inline ? access.path : ",");
    array(steps);
    sql.append(")");
  }

  /** Returns the literals before the first step that is not a literal. */
  private static List<String> leading(List<? extends SqlAstNode> steps) {
    List<String> literals = new ArrayList<>();
    for (SqlAstNode step : steps) {
      if (!(step instanceof Literal literal)) {
        break;
      }
      literals.add(String.valueOf(literal.getLiteralValue()));
    }
    return literals;
  }

  /** Writes steps as a text array. */
  void array(List<? extends SqlAstNode> steps) {
    List<String> literals = leading(steps);
    if (literals.size() == steps.size()) {
      sql.append(SqlArrays.literal(literals));
      return;
    }
    sql.append("array[");
    for (int i = 0; i < steps.size(); i++) {
      sql.append(i == 0 ? "" : ",");
      if (i < literals.size()) {
        sql.append(Identifiers.literal(literals.get(i)));
      } else {
        sql.append("cast(");
        steps.get(i).accept(translator);
        sql.append(" as text)");
      }
    }
    sql.append("]");
  }

  private void fixed(SqlAstNode document, List<String> steps, Access access) {
    if (!settings(document).keeps(steps)) {
      sql.append(access.function);
      sql.append("(");
      document.accept(translator);
      sql.append("," + SqlArrays.literal(steps) + ")");
      return;
    }
    sql.append("(");
    document.accept(translator);
    if (steps.isEmpty() || steps.stream().anyMatch(s -> POSITION.matcher(s).matches())) {
      sql.append(access.path + "cast(" + SqlArrays.literal(steps) + " as text[])");
    } else {
      for (int i = 0; i < steps.size(); i++) {
        sql.append(i == steps.size() - 1 ? access.member : Access.JSON.member);
        // Cast to exactly this type; otherwise an operator on the search path may match better.
        sql.append("cast(" + Identifiers.literal(steps.get(i)) + " as text)");
      }
    }
    sql.append(")");
  }

  private ColumnSettings settings(SqlAstNode document) {
    return Document.settings(document, translator.getSessionFactory());
  }
}
