package io.pgtoaster.jdbi;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.RowPart;
import java.lang.reflect.Type;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Optional;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.argument.NullArgument;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.generic.GenericTypes;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jdbi.v3.core.mapper.MappingException;
import org.jdbi.v3.core.qualifier.QualifiedType;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGobject;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Binds and reads documents, and binds paths. */
record DocumentValues(JsonMapper mapper) {
  Optional<Argument> argument(
      QualifiedType<?> type, @Nullable Object value, ConfigRegistry config) {
    if (value instanceof Optional<?> optional && isOptional(type)) {
      return argument(content(type), optional.orElse(null), config);
    }
    if (type.getType() == DocumentPath.class && type.hasNoQualifiers()) {
      return Optional.of(
          value == null ? new NullArgument(Types.ARRAY) : path((DocumentPath) value));
    }
    if (!isDocument(type)) {
      return Optional.empty();
    }
    return Optional.of(
        value == null ? new NullArgument(Types.OTHER) : jsonb(text(value, type.getType())));
  }

  private static boolean isOptional(QualifiedType<?> type) {
    return GenericTypes.getErasedType(type.getType()) == Optional.class;
  }

  private static QualifiedType<?> content(QualifiedType<?> optional) {
    return optional.mapType(
        type -> GenericTypes.findGenericParameter(type, Optional.class).orElse(Object.class));
  }

  private static boolean isDocument(QualifiedType<?> type) {
    return type.hasQualifier(Document.class)
        || (type.hasNoQualifiers()
            && JsonNode.class.isAssignableFrom(GenericTypes.getErasedType(type.getType())));
  }

  private static Argument path(DocumentPath path) {
    return (position, statement, context) ->
        statement.setArray(
            position, context.getConnection().createArrayOf("text", path.steps().toArray()));
  }

  private static Argument jsonb(String text) {
    return (position, statement, context) -> {
      PGobject jsonb = new PGobject();
      jsonb.setType("jsonb");
      jsonb.setValue(text);
      statement.setObject(position, jsonb);
    };
  }

  private String text(Object value, Type type) {
    if (value instanceof CharSequence text) {
      return text.toString();
    }
    return JsonbText.text(
        value instanceof JsonNode ? Json.toTree(value) : Json.toTree(value, mapper, type));
  }

  Optional<ColumnMapper<?>> columnMapper(QualifiedType<?> type, ConfigRegistry config) {
    if (!isDocument(type)) {
      return Optional.empty();
    }
    if (isOptional(type)) {
      return columnMapper(content(type), config)
          .map(
              content ->
                  (rows, position, context) ->
                      Optional.ofNullable(content.map(rows, position, context)));
    }
    JavaType target = mapper.constructType(type.getType());
    ColumnMapper<?> columnMapper = (rows, position, context) -> read(rows, position, target);
    return Optional.of(columnMapper);
  }

  private @Nullable Object read(ResultSet rows, int position, JavaType target) throws SQLException {
    String text = rows.getString(position);
    if (text == null) {
      return null;
    }
    if (RowPart.is(text)) {
      throw new MappingException(
          ("column \"%s\" of the result is a split document, and only the part in the row was"
                  + " selected; select pgtoaster.expand(..), or pgtoaster.get(.., path)")
              .formatted(rows.getMetaData().getColumnLabel(position)));
    }
    if (target.hasRawClass(String.class)) {
      return text;
    }
    try {
      return target.hasRawClass(JsonNode.class)
          ? Json.readTree(text)
          : mapper.readValue(Json.parser(text), target);
    } catch (JacksonException e) {
      throw new MappingException(
          "the value of column \"%s\" does not fit %s"
              .formatted(rows.getMetaData().getColumnLabel(position), target.toCanonical()),
          e);
    }
  }
}
