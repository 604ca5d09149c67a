package io.pgtoaster.hibernate.query;

import io.pgtoaster.hibernate.jsonb.DocumentJdbcType;
import java.util.List;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.query.sqm.produce.function.ArgumentsValidator;
import org.hibernate.query.sqm.produce.function.FunctionArgumentException;
import org.hibernate.query.sqm.produce.function.StandardArgumentsValidators;
import org.hibernate.query.sqm.tree.SqmTypedNode;
import org.hibernate.type.BindingContext;

/** Validates the arguments of an edit: a document, and what the edit needs. */
record EditArguments(KeyedEdit.Kind kind) implements ArgumentsValidator {
  @Override
  public void validate(
      List<? extends SqmTypedNode<?>> arguments, String function, BindingContext context) {
    count().validate(arguments, function, context);
    var type = arguments.get(0).getExpressible();
    if (type != null
        && !(type.getSqmType() instanceof JdbcMapping mapping
            && mapping.getJdbcType() instanceof DocumentJdbcType)) {
      throw new FunctionArgumentException(
          "setting a path, or calling "
              + function
              + "(), requires a document: an attribute that is a KeyedJson or has a @KeyedColumn;"
              + " this is a "
              + type.getTypeName());
    }
    if (kind != KeyedEdit.Kind.SET_AT) {
      PathArgument.check(arguments.get(1), function);
    }
  }

  /** Returns true if documents of an expression may be split. */
  static boolean holdsStubs(SqmTypedNode<?> document) {
    var type = document.getExpressible();
    return type != null
        && type.getSqmType() instanceof JdbcMapping mapping
        && mapping.getJdbcType() instanceof DocumentJdbcType json
        && json.holdsStubs();
  }

  private ArgumentsValidator count() {
    return switch (kind) {
      case SET_AT -> StandardArgumentsValidators.min(3);
      case SET, INSERT, APPEND -> StandardArgumentsValidators.exactly(3);
      case INCREMENT -> StandardArgumentsValidators.between(2, 3);
      case REMOVE -> StandardArgumentsValidators.exactly(2);
    };
  }

  @Override
  public String getSignature() {
    return switch (kind) {
      case SET_AT -> "(DOCUMENT document, JSON value, STRING step, ...)";
      case SET, INSERT, APPEND -> "(DOCUMENT document, STRING path, JSON value)";
      case INCREMENT -> "(DOCUMENT document, STRING path[, NUMERIC delta])";
      case REMOVE -> "(DOCUMENT document, STRING path)";
    };
  }
}
