package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;

/** A database with one table {@code item} for tests of its column {@code doc}. */
public final class DocumentFixture extends TableFixture<DocumentColumn> {
  public static final String COLUMN = "doc";

  public DocumentFixture(Setting setting, ColumnSpec spec) {
    super(
        setting,
        spec,
        pgToaster -> pgToaster.documents(TABLE, COLUMN),
        catalog -> catalog.attach(TABLE, COLUMN, ToasterOptions.of(spec.toaster())).store());
  }

  /** The column, on separate or the caller's connections, depending on the setting. */
  public DocumentColumn documents() {
    return any();
  }

  /** Inserts a row with a document. */
  public Object row(String json) {
    Object key = row();
    own().putJson(key, json);
    return key;
  }

  /** Returns a JSON text as PostgreSQL prints it. */
  public String canonical(String json) {
    return database().string("SELECT CAST(" + Sql.literal(json) + " AS jsonb)");
  }

  /** Returns the whole document as PostgreSQL prints it, or null if the column is NULL. */
  public String document(Object key) {
    return own().text(key).map(Documents::canonical).orElse(null);
  }

  /** Asserts that the row has exactly this document, without damage. */
  public void assertDocument(Object key, String json) {
    assertThat(document(key)).isEqualTo(json == null ? null : canonical(json));
    assertThat(own().verify(key)).isEmpty();
  }

  @Override
  public List<String> orphans() {
    if (!spec().hasStore()) {
      return List.of();
    }
    return database()
        .strings(
            """
            SELECT 'head ' || h.id FROM %1$s h
            LEFT JOIN item i ON %3$s i.doc #>> '{$pgtoaster,0}' = CAST(h.id AS text) WHERE i.name IS NULL
            UNION ALL SELECT DISTINCT 'node of ' || n.doc FROM %2$s n LEFT JOIN %1$s h ON %4$s h.id = n.doc WHERE h.id IS NULL
            """
                .formatted(
                    table("head"),
                    table("node"),
                    spec().spread() ? "i.tenant = h.owner_1 AND" : "",
                    spec().spread() ? "h.owner_1 = n.owner_1 AND" : ""));
  }
}
