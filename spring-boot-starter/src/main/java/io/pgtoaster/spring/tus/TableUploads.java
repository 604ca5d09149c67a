package io.pgtoaster.spring.tus;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.SqlParameterValue;

/** Creates a new row per upload, in the table that the properties name. */
record TableUploads(BlobColumn column, JdbcTemplate jdbc, Map<String, String> columns)
    implements TusUploads {

  @Override
  public Object create(TusUpload upload) {
    AttachedColumn at = ColumnAccess.column(column);
    List<String> names = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    columns.forEach(
        (name, target) -> {
          String value = upload.metadata().get(name);
          if (value != null && (!value.isEmpty() || takesEmptyText(at, target))) {
            names.add(Identifiers.quote(target));
            values.add(new SqlParameterValue(Types.OTHER, value));
          }
        });
    List<String> key =
        at.key().stream().map(KeyColumn::quoted).map(k -> "CAST(" + k + " AS text)").toList();
    String insert =
        "INSERT INTO "
            + at.quotedTable()
            + (names.isEmpty()
                ? " DEFAULT VALUES"
                : " (%s) VALUES (%s)"
                    .formatted(
                        String.join(", ", names),
                        String.join(", ", names.stream().map(n -> "?").toList())))
            + " RETURNING ARRAY["
            + String.join(", ", key)
            + "]";
    return Objects.requireNonNull(
        jdbc.<List<String>>queryForObject(
            insert, (r, number) -> List.of((String[]) r.getArray(1).getArray()), values.toArray()));
  }

  /** Returns whether a column has a text type. Only text types accept an empty value. */
  private boolean takesEmptyText(AttachedColumn at, String target) {
    return !jdbc.queryForList(
            "SELECT 1 FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid"
                + " OPERATOR(pg_catalog.=) a.atttypid WHERE a.attrelid OPERATOR(pg_catalog.=)"
                + " CAST(CAST(? AS text) AS regclass) AND a.attname OPERATOR(pg_catalog.=)"
                + " CAST(? AS name) AND t.typcategory OPERATOR(pg_catalog.=) CAST('S' AS \"char\")",
            at.quotedTable(),
            target)
        .isEmpty();
  }

  @Override
  public void terminated(TusUpload upload) {
    AttachedColumn at = ColumnAccess.column(column);
    jdbc.update(
        "DELETE FROM " + at.quotedTable() + " AS o WHERE " + at.rowCondition(),
        s -> at.bind(s, 1, upload.row()));
  }
}
