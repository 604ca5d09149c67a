package io.pgtoaster.hibernate.query;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.InvalidPathException;
import java.util.List;
import org.hibernate.query.sqm.produce.function.ArgumentsValidator;
import org.hibernate.query.sqm.produce.function.FunctionArgumentException;
import org.hibernate.query.sqm.produce.function.StandardArgumentsValidators;
import org.hibernate.query.sqm.tree.SqmTypedNode;
import org.hibernate.query.sqm.tree.expression.SqmLiteral;
import org.hibernate.type.BindingContext;

/**
 * Validates that the arguments are a document and a literal path. The path must be a literal
 * because it determines the SQL to write.
 */
final class PathArgument implements ArgumentsValidator {
  private static final ArgumentsValidator TWO = StandardArgumentsValidators.exactly(2);

  @Override
  public void validate(
      List<? extends SqmTypedNode<?>> arguments, String function, BindingContext context) {
    TWO.validate(arguments, function, context);
    check(arguments.get(1), function);
  }

  /** Rejects an argument that is not a literal or not a valid path. */
  static void check(SqmTypedNode<?> argument, String function) {
    if (!(argument instanceof SqmLiteral<?> literal)
        || !(literal.getLiteralValue() instanceof String path)) {
      throw new FunctionArgumentException(
          "the path of "
              + function
              + "() must be a literal such as 'roles[0].title'; if a key is a parameter, write "
              + QueryFunctions.AT
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
    return "(DOCUMENT document, STRING path)";
  }
}
