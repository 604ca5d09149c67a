package io.pgtoaster.hibernate.query;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.hibernate.jsonb.DocumentJdbcType;
import java.util.List;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.query.sqm.produce.function.ArgumentsValidator;
import org.hibernate.query.sqm.produce.function.FunctionArgumentException;
import org.hibernate.query.sqm.tree.SqmTypedNode;
import org.hibernate.query.sqm.tree.expression.SqmLiteral;
import org.hibernate.type.BindingContext;
import org.jspecify.annotations.Nullable;

/**
 * Validates the arguments of a function: a document, and perhaps a path.
 *
 * @param count validates their number
 * @param edits whether the document must be an attribute, because the function edits it
 * @param path whether the second argument is a path, which must be a literal because it determines
 *     the SQL to write
 * @param signature for messages
 */
record Arguments(ArgumentsValidator count, boolean edits, boolean path, String signature)
    implements ArgumentsValidator {
  @Override
  public void validate(
      List<? extends SqmTypedNode<?>> arguments, String function, BindingContext context) {
    count.validate(arguments, function, context);
    var type = arguments.get(0).getExpressible();
    if (edits && type != null && documentType(arguments.get(0)) == null) {
      throw new FunctionArgumentException(
          "setting a path, or calling "
              + function
              + "(), requires a document: an attribute that is a KeyedJson or has a @KeyedColumn;"
              + " this is a "
              + type.getTypeName());
    }
    if (path) {
      checkPath(arguments.get(1), function);
    }
  }

  /** Returns the type of an expression that is a document, or null. */
  static @Nullable DocumentJdbcType documentType(SqmTypedNode<?> node) {
    var type = node.getExpressible();
    return type != null
            && type.getSqmType() instanceof JdbcMapping mapping
            && mapping.getJdbcType() instanceof DocumentJdbcType document
        ? document
        : null;
  }

  /** Returns true if documents of an expression may be split. */
  static boolean holdsStubs(SqmTypedNode<?> node) {
    DocumentJdbcType type = documentType(node);
    return type != null && type.holdsStubs();
  }

  private static void checkPath(SqmTypedNode<?> argument, String function) {
    if (!(argument instanceof SqmLiteral<?> literal)
        || !(literal.getLiteralValue() instanceof String path)) {
      throw new FunctionArgumentException(
          "the path of "
              + function
              + "() must be a literal such as 'roles[0].title'; if a key is a parameter, write "
              + KeyedFunction.Kind.AT.functionName()
              + "(document, step, ...), or in HQL document[:key]");
    }
    try {
      DocumentPath.parse(path);
    } catch (InvalidPathException e) {
      throw new FunctionArgumentException("the path of " + function + "(): " + e.getMessage());
    }
  }

  @Override
  public String getSignature() {
    return signature;
  }
}
