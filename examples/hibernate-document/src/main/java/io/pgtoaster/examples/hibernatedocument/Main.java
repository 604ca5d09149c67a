package io.pgtoaster.examples.hibernatedocument;

import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.examples.hibernatedocument.Transcript.Sentence;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Stores an interview, changes one word of it and appends to its recording. */
public final class Main {
  private static final int SENTENCES = 20_000;
  private static final Logger HIBERNATE = Logger.getLogger("org.hibernate");

  private Main() {}

  /**
   * Runs on the given database, or on a temporary PostgreSQL server.
   *
   * @param args a JDBC URL with user and password, or nothing
   */
  public static void main(String[] args) {
    HIBERNATE.setLevel(Level.SEVERE);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    if (args.length > 0) {
      run(args[0], out);
      return;
    }
    PostgresBinaries binaries = PostgresBinaries.fromClasspath(Home.cacheDirectory());
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(binaries).temporary().start()) {
      run(postgres.jdbcUrlWithPassword("postgres"), out);
    }
  }

  static void run(String url, PrintStream out) {
    Configuration configuration = new Configuration().addAnnotatedClass(Interview.class);
    configuration.setProperty("hibernate.connection.url", url);
    // Creates the table and attaches its columns; drops everything at the end.
    configuration.setProperty("hibernate.hbm2ddl.auto", "create-drop");
    configuration.setStatementInspector(new Statements(out));
    try (SessionFactory sessions = configuration.buildSessionFactory()) {
      tell(sessions, out);
    }
  }

  private static void tell(SessionFactory sessions, PrintStream out) {
    step(sessions, out, "Store " + SENTENCES + " sentences", s -> s.persist(interview()));
    step(
        sessions,
        out,
        "Read one sentence without the others",
        s -> {
          Interview interview = s.find(Interview.class, 1L);
          out.println(
              "  " + interview.transcript.get("sentences[12345]", Sentence.class).orElseThrow());
        });
    step(
        sessions,
        out,
        "Correct it: one stored row and the version are written",
        s -> {
          Interview interview = s.find(Interview.class, 1L);
          interview.transcript.set("sentences[12345].text", "That was in winter.");
        });
    step(
        sessions,
        out,
        "Append to the recording twice: the row does not change",
        s -> {
          Interview interview = s.find(Interview.class, 1L);
          interview.recording.append(new byte[1_000_000]);
          interview.recording.append(new byte[1_000_000]);
          out.println("  " + interview.recording.length() + " bytes");
        });
    step(
        sessions,
        out,
        "Find by a value in the row",
        s ->
            out.println(
                "  "
                    + s.createSelectionQuery(
                            "select count(*) from Interview"
                                + " where keyed_text(transcript, 'guest') = 'Ada'",
                            Long.class)
                        .getSingleResult()
                    + " interview"));
  }

  private static void step(
      SessionFactory sessions, PrintStream out, String what, Consumer<Session> work) {
    out.println();
    out.println(what);
    sessions.inTransaction(work);
  }

  private static Interview interview() {
    List<Sentence> sentences = new ArrayList<>();
    for (int i = 0; i < SENTENCES; i++) {
      sentences.add(new Sentence(4 * i, i % 2 == 0 ? "Host" : "Ada", "Sentence number " + i + "."));
    }
    return new Interview(1, new Transcript("Ada", "London", sentences));
  }
}
