package io.pgtoaster.hibernate.query;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.internal.Contents;
import org.antlr.v4.runtime.RuleContext;
import org.hibernate.grammars.hql.HqlParser;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.metamodel.model.domain.PersistentAttribute;
import org.hibernate.query.hql.internal.SemanticQueryBuilder;
import org.hibernate.query.hql.spi.SemanticPathPart;
import org.hibernate.query.hql.spi.SqmCreationOptions;
import org.hibernate.query.sqm.spi.SqmCreationContext;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.type.descriptor.java.JavaType;
import org.jspecify.annotations.Nullable;

/** Parses brackets after a document attribute; Hibernate parses everything else. */
final class PathQueryBuilder<R> extends SemanticQueryBuilder<R> {
  private final Contents contents;

  PathQueryBuilder(
      @Nullable Class<R> resultType,
      SqmCreationOptions options,
      SqmCreationContext context,
      String query,
      Contents contents) {
    super(resultType, options, context, query);
    this.contents = contents;
  }

  @Override
  public SemanticPathPart visitSimplePath(HqlParser.SimplePathContext tree) {
    SemanticPathPart part = super.visitSimplePath(tree);
    return isIndexed(tree.getParent()) && part instanceof SqmPath<?> path && isDocument(path)
        ? KeyedPath.start(path)
        : part;
  }

  @Override
  public Object visitGeneralPathExpression(HqlParser.GeneralPathExpressionContext tree) {
    return complete(super.visitGeneralPathExpression(tree));
  }

  @Override
  public Object visitSyntacticPathExpression(HqlParser.SyntacticPathExpressionContext tree) {
    return complete(super.visitSyntacticPathExpression(tree));
  }

  /** Returns the function of a path that does not continue. It behaves like any other function. */
  private static Object complete(Object expression) {
    return expression instanceof KeyedPath path ? path.getFunction() : expression;
  }

  private static boolean isIndexed(@Nullable RuleContext tree) {
    if (tree instanceof HqlParser.GeneralPathFragmentContext path) {
      return path.indexedPathAccessFragment() != null;
    }
    return tree instanceof HqlParser.SyntacticDomainPathContext path
        && path.indexedPathAccessFragment() != null;
  }

  private boolean isDocument(SqmPath<?> path) {
    SqmPath<?> owner = path.getLhs();
    JavaType<?> type = path.getNodeJavaType();
    if (owner == null || type == null || type.getJavaTypeClass() == AppendableBlob.class) {
      return false;
    }
    if (isContent(owner.getNodeType(), path)) {
      return true;
    }
    // An attribute of a subclass may be referenced through its superclass.
    return path.getReferencedPathSource() instanceof PersistentAttribute<?, ?> attribute
        && isContent(attribute.getDeclaringType(), path);
  }

  private boolean isContent(@Nullable Object owner, SqmPath<?> path) {
    return owner instanceof EntityDomainType<?> entity
        && contents.attribute(
                entity.getHibernateEntityName(), path.getReferencedPathSource().getPathName())
            != null;
  }
}
