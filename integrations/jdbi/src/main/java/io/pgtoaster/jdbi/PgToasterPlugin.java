package io.pgtoaster.jdbi;

import io.pgtoaster.PgToaster;
import io.pgtoaster.internal.json.Json;
import java.util.Objects;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.argument.Arguments;
import org.jdbi.v3.core.mapper.ColumnMappers;
import org.jdbi.v3.core.spi.JdbiPlugin;
import tools.jackson.databind.json.JsonMapper;

/**
 * Adds pgtoaster to a {@code Jdbi}: {@link JdbiToaster} opens blobs and documents in the
 * transaction of a handle. Statements can bind and return {@code JsonNode} and values with {@link
 * Document}, and bind paths.
 *
 * <pre>{@code
 * Jdbi jdbi = Jdbi.create(dataSource);
 * jdbi.installPlugin(new PgToasterPlugin(PgToaster.create(dataSource)));
 * }</pre>
 */
public final class PgToasterPlugin implements JdbiPlugin {
  private final PgToaster toaster;
  private final JsonMapper mapper;

  /**
   * Creates a plugin with pgtoaster's own mapper.
   *
   * @param toaster the toaster on the same database; the handles of columns use its settings
   */
  public PgToasterPlugin(PgToaster toaster) {
    this.toaster = Objects.requireNonNull(toaster, "toaster");
    this.mapper = Json.mapper();
  }

  /**
   * Creates a plugin with a mapper for objects of your classes.
   *
   * @param toaster the toaster on the same database; the handles of columns use its other settings
   * @param mapper for values with {@link Document}, and for document columns
   */
  public PgToasterPlugin(PgToaster toaster, JsonMapper mapper) {
    this.toaster = toaster.withMapper(mapper);
    this.mapper = mapper;
  }

  @Override
  public void customizeJdbi(Jdbi jdbi) {
    jdbi.getConfig(PgToasterConfig.class).set(new Columns(toaster));
    DocumentValues values = new DocumentValues(mapper);
    jdbi.getConfig(Arguments.class).register(values::argument);
    jdbi.getConfig(ColumnMappers.class).register(values::columnMapper);
  }
}
