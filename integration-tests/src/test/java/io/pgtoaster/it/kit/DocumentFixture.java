package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.sql.Connection;
import java.util.List;

/** A database with one table {@code item}, whose column {@code doc} is under test. */
public final class DocumentFixture extends TableFixture {
  public static final String COLUMN = "doc";

  private final DocumentSpec spec;
  private final DocumentColumn own;
  private final DocumentColumn impatient;
  private final int store;

  public DocumentFixture(Setting setting, DocumentSpec spec) {
    super(setting, spec.key(), spec.createTable());
    this.spec = spec;
    this.store = spec.options() == null ? 0 : attach();
    requireExecutor(COLUMN);
    this.own = door(PgToaster.create(pool())).documents(TABLE, COLUMN);
    this.impatient = door(PgToaster.create(impatientPool())).documents(TABLE, COLUMN);
  }

  private int attach() {
    if (!spec.hasStore() && !spec.toaster().equals("default")) {
      return PgToaster.create(database().dataSource())
          .catalog()
          .attach(null, TABLE, COLUMN, spec.toaster(), JsonOptions.defaults());
    }
    return (int)
        database()
            .number(
                "SELECT pgtoaster.attach('item'::regclass, 'doc', '%s', '%s'::jsonb)"
                    .formatted(spec.toaster(), spec.options()));
  }

  public DocumentSpec spec() {
    return spec;
  }

  /** The column, on own or the caller's connections as the setting says. */
  public DocumentColumn documents() {
    return ownConnections() ? own() : on(connect());
  }

  /** The column, each call with its own connection and transaction. */
  public DocumentColumn own() {
    return own;
  }

  /** The column, on connections that give up when they wait for a lock for two seconds. */
  public DocumentColumn impatient() {
    return impatient;
  }

  /** The column, on a connection of the test. */
  public DocumentColumn on(Connection connection) {
    return door(PgToaster.on(connection)).documents(TABLE, COLUMN);
  }

  /**
   * The column on a connection, by each executor that the setting offers: plain SQL alone, or the
   * extension and plain SQL.
   */
  public List<DocumentColumn> executorsOn(Connection connection) {
    return executors(PgToaster.on(connection));
  }

  /** The column, on own or the caller's connections, by each executor that the setting offers. */
  public List<DocumentColumn> executors() {
    return executors(ownConnections() ? PgToaster.create(pool()) : PgToaster.on(connect()));
  }

  private List<DocumentColumn> executors(PgToaster door) {
    DocumentColumn sql = door.withoutExtension().documents(TABLE, COLUMN);
    return usesExtension() ? List.of(door.documents(TABLE, COLUMN), sql) : List.of(sql);
  }

  /** The column by plain SQL, whatever the setting says. */
  public DocumentColumn onBySql(Connection connection) {
    return PgToaster.on(connection).withoutExtension().documents(TABLE, COLUMN);
  }

  /** A new row with a document. */
  public Object row(String json) {
    Object key = row();
    own().put(key, json);
    return key;
  }

  /** What PostgreSQL prints for a JSON text. */
  public String canonical(String json) {
    return database().string("SELECT CAST(" + Sql.literal(json) + " AS jsonb)");
  }

  /** The whole document as PostgreSQL prints it; null if the column is NULL. */
  public String document(Object key) {
    return own().text(key).map(Documents::canonical).orElse(null);
  }

  /** Asserts what a row holds, to the last character, and that it is undamaged. */
  public void assertDocument(Object key, String json) {
    assertThat(document(key)).isEqualTo(json == null ? null : canonical(json));
    assertThat(own().verify(key)).isEmpty();
  }

  /** The name of one table of the store. */
  public String table(String part) {
    return "pgtoaster.store_" + store + "_" + part;
  }

  @Override
  public List<String> orphans() {
    if (!spec.hasStore()) {
      return List.of();
    }
    return database()
        .strings(
            """
            SELECT 'head ' || h.id FROM %1$s h
            WHERE NOT EXISTS (SELECT FROM item i WHERE i.doc #>> '{$pgtoaster,0}' = CAST(h.id AS text))
            UNION ALL SELECT DISTINCT 'node of ' || n.doc FROM %2$s n WHERE n.doc NOT IN (SELECT id FROM %1$s)
            """
                .formatted(table("head"), table("node")));
  }
}
