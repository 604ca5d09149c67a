package io.pgtoaster.examples.app.film;

import io.pgtoaster.PgToaster;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Makes the document at the first start. */
@Component
final class FirstFilm implements SmartInitializingSingleton {
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
          if (jdbc.queryForList("SELECT id FROM example_film").isEmpty()) {
            begin();
          }
        });
  }

  private void begin() {
    String film = new FilmGenerator().film().toString();
    jdbc.update("INSERT INTO example_film (id) VALUES (?)", Films.ROW);
    toaster.documents("example_film", "doc").putJson(Films.ROW, film);
    jdbc.update("INSERT INTO example_film_plain VALUES (?, CAST(? AS jsonb))", Films.ROW, film);
  }
}
