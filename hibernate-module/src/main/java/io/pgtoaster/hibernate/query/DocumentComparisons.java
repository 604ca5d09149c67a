package io.pgtoaster.hibernate.query;

import static java.util.Objects.requireNonNull;

import io.pgtoaster.hibernate.jsonb.DocumentJdbcType;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.hibernate.engine.spi.LoadQueryInfluencers;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.metamodel.model.domain.ReturnableType;
import org.hibernate.query.spi.QueryOptions;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.sqm.function.SelfRenderingFunctionSqlAstExpression;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.sql.SqmTranslator;
import org.hibernate.query.sqm.sql.SqmTranslatorFactory;
import org.hibernate.query.sqm.sql.internal.StandardSqmTranslator;
import org.hibernate.query.sqm.tree.SqmDmlStatement;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.domain.SqmBasicValuedSimplePath;
import org.hibernate.query.sqm.tree.expression.SqmAliasedNodeRef;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmFunction;
import org.hibernate.query.sqm.tree.insert.SqmInsertSelectStatement;
import org.hibernate.query.sqm.tree.predicate.SqmNullnessPredicate;
import org.hibernate.query.sqm.tree.select.SqmQuerySpec;
import org.hibernate.query.sqm.tree.select.SqmSelectClause;
import org.hibernate.query.sqm.tree.select.SqmSelectStatement;
import org.hibernate.query.sqm.tree.select.SqmSelectableNode;
import org.hibernate.query.sqm.tree.update.SqmAssignment;
import org.hibernate.query.sqm.tree.update.SqmSetClause;
import org.hibernate.sql.ast.Clause;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.spi.SqlAstCreationContext;
import org.hibernate.sql.ast.tree.MutationStatement;
import org.hibernate.sql.ast.tree.SqlAstNode;
import org.hibernate.sql.ast.tree.Statement;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.hibernate.sql.ast.tree.predicate.NullnessPredicate;
import org.hibernate.sql.ast.tree.select.QuerySpec;
import org.hibernate.sql.ast.tree.select.SelectClause;
import org.hibernate.sql.ast.tree.select.SelectStatement;
import org.hibernate.sql.ast.tree.update.Assignment;
import org.hibernate.type.internal.BasicTypeImpl;
import org.jspecify.annotations.Nullable;

/**
 * Translates HQL and criteria queries to SQL as Hibernate does. If a query does more than select or
 * assign a document, it uses the whole document, not only the part in the row. Active unless the
 * application sets its own translator in {@code hibernate.query.sqm.translator}.
 *
 * <p>Thread-safe.
 */
public final class DocumentComparisons implements SqmTranslatorFactory {
  private static final String FUNCTION = "pgtoaster.expand";

  /** Clauses that write a column: the row's triggers accept the stored form and edits of it. */
  private static final Set<Clause> STORING =
      EnumSet.of(Clause.SET, Clause.INSERT, Clause.VALUES, Clause.CONFLICT);

  /** Creates the factory. Called by Hibernate. */
  public DocumentComparisons() {}

  @Override
  public SqmTranslator<SelectStatement> createSelectTranslator(
      SqmSelectStatement<?> statement,
      QueryOptions options,
      DomainParameterXref parameters,
      QueryParameterBindings bindings,
      LoadQueryInfluencers influencers,
      SqlAstCreationContext context,
      boolean deduplicateSelectionItems) {
    return new Translator<>(
        statement, options, parameters, bindings, influencers, context, deduplicateSelectionItems);
  }

  @Override
  public SqmTranslator<? extends MutationStatement> createMutationTranslator(
      SqmDmlStatement<?> statement,
      QueryOptions options,
      DomainParameterXref parameters,
      QueryParameterBindings bindings,
      LoadQueryInfluencers influencers,
      SqlAstCreationContext context) {
    return new Translator<MutationStatement>(
        statement, options, parameters, bindings, influencers, context, false);
  }

  private static final class Translator<T extends Statement> extends StandardSqmTranslator<T> {
    /** Queries and select clauses that use documents as stored in the row. */
    private final Set<Object> stored = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * Documents, and edits of them, that the current visit uses as stored in the row. Cleared after
     * each visit, because a query shares one node between all places that name the same path.
     */
    private final Set<Object> asStored = Collections.newSetFromMap(new IdentityHashMap<>());

    Translator(
        SqmStatement<?> statement,
        QueryOptions options,
        DomainParameterXref parameters,
        QueryParameterBindings bindings,
        LoadQueryInfluencers influencers,
        SqlAstCreationContext context,
        boolean deduplicateSelectionItems) {
      super(
          statement,
          options,
          parameters,
          bindings,
          influencers,
          context,
          deduplicateSelectionItems);
      // The rows are returned or inserted as stored.
      if (statement instanceof SqmSelectStatement<?> select) {
        stored.add(select.getQueryPart());
      } else if (statement instanceof SqmInsertSelectStatement<?> insert) {
        stored.add(insert.getSelectQueryPart());
      }
    }

    @Override
    public QuerySpec visitQuerySpec(SqmQuerySpec<?> spec) {
      if (stored.contains(spec) && !comparesSelection(spec)) {
        stored.add(spec.getSelectClause());
      }
      return super.visitQuerySpec(spec);
    }

    @Override
    public SelectClause visitSelectClause(SqmSelectClause clause) {
      Set<Object> nodes = Collections.newSetFromMap(new IdentityHashMap<>());
      if (stored.contains(clause)) {
        clause.getSelectionItems().forEach(node -> addSelectable(node, nodes));
      }
      return asStored(nodes, () -> super.visitSelectClause(clause));
    }

    /** Adds a node and its parts. An expression lists itself among its parts. */
    private static void addSelectable(SqmSelectableNode<?> node, Set<Object> nodes) {
      if (nodes.add(node)) {
        node.visitSubSelectableNodes(part -> addSelectable(part, nodes));
      }
    }

    /** During one visit, uses nodes as stored. */
    private <R extends @Nullable Object> R asStored(Collection<?> nodes, Supplier<R> visit) {
      List<?> added = nodes.stream().filter(asStored::add).toList();
      try {
        return visit.get();
      } finally {
        added.forEach(asStored::remove);
      }
    }

    @Override
    public List<Assignment> visitSetClause(SqmSetClause clause) {
      return asStored(
          clause.getAssignments().stream().map(SqmAssignment::getValue).toList(),
          () -> super.visitSetClause(clause));
    }

    /**
     * Returns true if the query compares the selected values; the selection must then return the
     * same values.
     */
    private static boolean comparesSelection(SqmQuerySpec<?> spec) {
      return spec.getSelectClause().isDistinct()
          || spec.getGroupByClauseExpressions().stream().anyMatch(Translator::mayBeDocument)
          || spec.getSortSpecifications().stream()
              .anyMatch(sort -> mayBeDocument(sort.getSortExpression()));
    }

    private static boolean mayBeDocument(SqmExpression<?> expression) {
      return expression instanceof SqmAliasedNodeRef || Arguments.holdsStubs(expression);
    }

    @Override
    public Expression visitBasicValuedPath(SqmBasicValuedSimplePath<?> path) {
      return whole(path, super.visitBasicValuedPath(path));
    }

    @Override
    public Expression visitFunction(SqmFunction<?> function) {
      var called = function.getFunctionDescriptor();
      boolean edit = called instanceof KeyedEdit;
      Object first = function.getArguments().isEmpty() ? null : function.getArguments().get(0);
      Expression made;
      if (edit || called instanceof KeyedFunction || function.getFunctionName().equals("count")) {
        made = asStored(List.of(requireNonNull(first)), () -> super.visitFunction(function));
      } else {
        // Other functions need whole documents, including those that are also selected.
        List<?> others = function.getArguments().stream().filter(asStored::remove).toList();
        made = super.visitFunction(function);
        asStored.addAll(others);
      }
      return edit ? whole(function, made) : made;
    }

    @Override
    public NullnessPredicate visitIsNullPredicate(SqmNullnessPredicate predicate) {
      return asStored(
          List.of(predicate.getExpression()), () -> super.visitIsNullPredicate(predicate));
    }

    private Expression whole(SqmExpression<?> node, Expression made) {
      DocumentJdbcType document = Document.type(made);
      return document == null
              || !document.holdsStubs()
              || asStored.contains(node)
              || STORING.contains(getCurrentClauseStack().getCurrent())
          ? made
          : DocumentComparisons.whole(made);
    }
  }

  /**
   * Writes the whole document of a column. The type marks it as complete, so the result is not
   * expanded again.
   */
  private static Expression whole(Expression column) {
    JdbcMapping mapping =
        requireNonNull(column.getExpressionType(), "type of a document").getSingleJdbcMapping();
    BasicTypeImpl<?> type =
        new BasicTypeImpl<>(mapping.getMappedJavaType(), DocumentJdbcType.PLAIN);
    return new SelfRenderingFunctionSqlAstExpression<>(
        FUNCTION, DocumentComparisons::render, List.of(column), type, type);
  }

  private static void render(
      SqlAppender sql,
      List<? extends SqlAstNode> arguments,
      @Nullable ReturnableType<?> returnType,
      SqlAstTranslator<?> translator) {
    sql.append(FUNCTION + "(");
    arguments.get(0).accept(translator);
    sql.append(")");
  }
}
