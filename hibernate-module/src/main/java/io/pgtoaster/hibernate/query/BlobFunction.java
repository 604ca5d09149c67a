package io.pgtoaster.hibernate.query;

import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.spi.Toaster;
import java.util.List;
import org.hibernate.metamodel.model.domain.ReturnableType;
import org.hibernate.query.sqm.function.AbstractSqmSelfRenderingFunctionDescriptor;
import org.hibernate.query.sqm.produce.function.StandardArgumentsValidators;
import org.hibernate.query.sqm.produce.function.StandardFunctionReturnTypeResolvers;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.tree.SqlAstNode;
import org.hibernate.type.BasicType;
import org.jspecify.annotations.Nullable;

/** Renders the length of a blob in bytes, or a range of its bytes. */
final class BlobFunction extends AbstractSqmSelfRenderingFunctionDescriptor {
  private final boolean length;

  private BlobFunction(String name, boolean length, BasicType<?> result) {
    super(
        name,
        length ? StandardArgumentsValidators.exactly(1) : StandardArgumentsValidators.between(2, 3),
        StandardFunctionReturnTypeResolvers.invariant(result),
        null);
    this.length = length;
  }

  static BlobFunction length(String name, BasicType<?> result) {
    return new BlobFunction(name, true, result);
  }

  static BlobFunction substring(String name, BasicType<?> result) {
    return new BlobFunction(name, false, result);
  }

  @Override
  public void render(
      SqlAppender sql,
      List<? extends SqlAstNode> arguments,
      ReturnableType<?> returnType,
      SqlAstTranslator<?> translator) {
    SqlAstNode blob = arguments.get(0);
    ContentAttribute attribute = Document.attribute(blob, translator.getSessionFactory());
    boolean stock = isStock(attribute);
    if (length) {
      sql.append(stock ? "cast(pg_catalog.octet_length(" : "pgtoaster.blob_length(");
    } else {
      sql.append(stock ? "substring(" : "pgtoaster.substring(");
    }
    if (attribute != null && stock && !length && attribute.text()) {
      // Convert to bytes first, because ranges of text are counted in characters.
      sql.append("pg_catalog.convert_to(");
      blob.accept(translator);
      sql.append(",'UTF8')");
    } else {
      blob.accept(translator);
    }
    if (!length) {
      range(sql, arguments, stock, translator);
    }
    sql.append(stock && length ? ") as bigint)" : ")");
  }

  private static void range(
      SqlAppender sql,
      List<? extends SqlAstNode> arguments,
      boolean stock,
      SqlAstTranslator<?> translator) {
    sql.append(stock ? ",cast(" : ",");
    arguments.get(1).accept(translator);
    sql.append(stock ? " as integer)" : "");
    if (arguments.size() == 3) {
      sql.append(",cast(");
      arguments.get(2).accept(translator);
      sql.append(" as integer)");
    } else if (!stock) {
      sql.append("," + Integer.MAX_VALUE);
    }
  }

  private static boolean isStock(@Nullable ContentAttribute attribute) {
    return attribute != null && attribute.kind().options().toaster().equals(Toaster.DEFAULT);
  }
}
