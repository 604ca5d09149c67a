package io.pgtoaster.hibernate.query;

import java.util.ArrayList;
import java.util.List;
import org.hibernate.query.hql.spi.SemanticPathPart;
import org.hibernate.query.hql.spi.SqmCreationState;
import org.hibernate.query.sqm.tree.SqmTypedNode;
import org.hibernate.query.sqm.tree.domain.SqmFunctionPath;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmFunction;

/** A path into a document in HQL: a function of the document and of each step. */
final class KeyedPath extends SqmFunctionPath<String> {
  private static final long serialVersionUID = 1;

  /** Separator between two brackets, because HQL's grammar does not allow adjacent brackets. */
  static final String NEXT = "pgtoaster_next_step";

  private final transient List<SqmTypedNode<?>> arguments;

  private KeyedPath(SqmFunction<?> function, List<SqmTypedNode<?>> arguments) {
    super(function);
    this.arguments = arguments;
  }

  /** Returns a path part for an attribute before its first step. */
  static SemanticPathPart start(SqmPath<?> document) {
    return new SemanticPathPart() {
      @Override
      public SemanticPathPart resolvePathPart(
          String name, boolean isTerminal, SqmCreationState state) {
        return document.resolvePathPart(name, isTerminal, state);
      }

      @Override
      public SqmPath<?> resolveIndexedAccess(
          SqmExpression<?> selector, boolean isTerminal, SqmCreationState state) {
        return go(List.of(document), selector, state);
      }
    };
  }

  private static KeyedPath go(
      List<SqmTypedNode<?>> from, SqmTypedNode<?> step, SqmCreationState state) {
    List<SqmTypedNode<?>> arguments = new ArrayList<>(from);
    arguments.add(step);
    var engine = state.getCreationContext().getQueryEngine();
    return new KeyedPath(
        engine
            .getSqmFunctionRegistry()
            .getFunctionDescriptor(KeyedFunction.Kind.AT.functionName())
            .generateSqmExpression(arguments, null, engine),
        arguments);
  }

  @Override
  public SqmPath<?> resolvePathPart(String name, boolean isTerminal, SqmCreationState state) {
    return name.equals(NEXT) ? this : go(arguments, nodeBuilder().literal(name), state);
  }

  @Override
  public SqmPath<?> resolveIndexedAccess(
      SqmExpression<?> selector, boolean isTerminal, SqmCreationState state) {
    return go(arguments, selector, state);
  }
}
