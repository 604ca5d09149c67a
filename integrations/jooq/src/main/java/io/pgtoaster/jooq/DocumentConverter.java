package io.pgtoaster.jooq;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.RowPart;
import org.jooq.JSONB;
import org.jooq.exception.DataTypeException;
import org.jooq.impl.AbstractConverter;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts documents to objects of a class, with Jackson. For the code generator, extend it:
 *
 * <pre>{@code
 * public final class ProfileConverter extends DocumentConverter<Profile> {
 *   public ProfileConverter() {
 *     super(Profile.class);
 *   }
 * }
 * }</pre>
 *
 * <p>If a document is split, its column contains only part of it, and converting that part throws a
 * {@code DataTypeException}. Select {@link PgToasterDsl#expand} or {@link PgToasterDsl#get}
 * instead.
 *
 * @param <U> the class
 */
public class DocumentConverter<U> extends AbstractConverter<JSONB, U> {
  private static final long serialVersionUID = 1;

  /** Null for pgtoaster's own mapper. */
  private final @Nullable JsonMapper mapper;

  /**
   * Creates a converter with pgtoaster's own mapper.
   *
   * @param type the class
   */
  public DocumentConverter(Class<U> type) {
    super(JSONB.class, type);
    this.mapper = null;
  }

  /**
   * Creates a converter with another mapper.
   *
   * @param type the class
   * @param mapper converts objects
   */
  public DocumentConverter(Class<U> type, JsonMapper mapper) {
    super(JSONB.class, type);
    this.mapper = mapper;
  }

  private JsonMapper mapper() {
    return mapper == null ? Json.mapper() : mapper;
  }

  /**
   * {@inheritDoc}
   *
   * @throws DataTypeException if the value does not fit the class, or is part of a split document
   */
  @Override
  public @Nullable U from(@Nullable JSONB value) {
    if (value == null) {
      return null;
    }
    String text = value.data();
    if (RowPart.is(text)) {
      throw new DataTypeException(
          "the result is a split document, and only the part in the row was selected; select"
              + " PgToasterDsl.expand(..) or PgToasterDsl.get(.., path)");
    }
    if (toType() == JsonNode.class) {
      return toType().cast(Json.readTree(text));
    }
    JavaType target = mapper().constructType(toType());
    try {
      return mapper().readValue(Json.parser(text), target);
    } catch (JacksonException e) {
      throw new DataTypeException("the value does not fit " + toType().getName(), e);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws io.pgtoaster.error.InvalidJsonException if {@code jsonb} cannot store the value
   */
  @Override
  public @Nullable JSONB to(@Nullable U value) {
    return value == null ? null : jsonb(value, mapper());
  }

  static JSONB jsonb(Object value, JsonMapper mapper) {
    return JSONB.valueOf(
        JsonbText.text(
            value instanceof JsonNode
                ? Json.toTree(value)
                : Json.toTree(value, mapper, value.getClass())));
  }
}
