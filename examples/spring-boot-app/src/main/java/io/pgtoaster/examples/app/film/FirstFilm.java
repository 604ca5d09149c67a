package io.pgtoaster.examples.app.film;

import io.pgtoaster.PgToaster;
import io.pgtoaster.jsonb.DocumentColumn;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.node.ObjectNode;

/** Stores the documents at the first start. */
@Component
final class FirstFilm implements SmartInitializingSingleton {
  private static final int LIBRARY = 300;

  private final PgToaster toaster;
  private final JdbcTemplate jdbc;
  private final TransactionTemplate transactions;

  FirstFilm(PgToaster toaster, JdbcTemplate jdbc, TransactionTemplate transactions) {
    this.toaster = toaster;
    this.jdbc = jdbc;
    this.transactions = transactions;
  }

  @Override
  public void afterSingletonsInstantiated() {
    transactions.executeWithoutResult(
        status -> {
          if (isEmpty("example_film")) {
            addFilm();
          }
          if (isEmpty("example_library")) {
            addLibrary();
          }
        });
  }

  private boolean isEmpty(String table) {
    return jdbc.queryForList("SELECT id FROM " + table + " LIMIT 1").isEmpty();
  }

  private void addFilm() {
    String film = FilmGenerator.large().toString();
    jdbc.update("INSERT INTO example_film (id) VALUES (?)", Films.ROW);
    toaster.documents("example_film", "doc").putJson(Films.ROW, film);
    jdbc.update("INSERT INTO example_film_plain VALUES (?, CAST(? AS jsonb))", Films.ROW, film);
  }

  private void addLibrary() {
    DocumentColumn library = toaster.documents("example_library", "doc");
    int id = 0;
    for (ObjectNode small : FilmGenerator.small(LIBRARY)) {
      id++;
      library.insert(id, small);
      jdbc.update(
          "INSERT INTO example_library_plain VALUES (?, CAST(? AS jsonb))", id, small.toString());
    }
    // Without statistics, PostgreSQL would not use the index of the plain column.
    jdbc.execute("ANALYZE example_library, example_library_plain");
  }
}
