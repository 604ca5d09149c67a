package io.pgtoaster.it.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.jsonb.locking.InterleavingSuite;
import io.pgtoaster.it.jsonb.locking.Writes;
import io.pgtoaster.it.kit.Recorder;
import io.pgtoaster.it.kit.Recorder.Statement;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks that the statements meet the requirements of a distributed engine. */
@Tag("ci")
class DocumentRulesIT extends InterleavingSuite {
  private static final Pattern NODES =
      Pattern.compile("(FROM|JOIN|UPDATE) pgtoaster\\.\"?store_\\d+_node\"?");
  private static final Pattern NAMED =
      Pattern.compile(
          "\\b([ndm]\\.)?doc =\\s+(\\?|[hrsbtw]\\.(id|doc)|CAST\\((CASE WHEN )?s\\.at|ANY|\\(SELECT|CASE)");

  private final Recorder recorder = new Recorder();

  private DocumentColumn own() {
    return PgToaster.create(recorder.record(fx().pool())).documents("item", "doc");
  }

  private void everyCall(Runnable before) throws Exception {
    for (Writes write : Writes.all()) {
      Object key = fx().row(Writes.document(0, 20));
      DocumentColumn documents = own();
      documents.verify(key);
      before.run();
      write.call().on(documents, key);
      documents.text(key);
      documents.at(key, "list").slice(1, 5);
      documents.at(key, "map").size();
      documents.at(key, "map").keys();
      documents.stat(key);
    }
  }

  @Test
  void noCall_autocommitsSeveralWritingStatements() throws Exception {
    for (Writes write : Writes.all()) {
      if (write.name().contains("six")) {
        continue;
      }
      Object key = fx().row(Writes.document(0, 20));
      DocumentColumn documents = own();
      documents.verify(key);
      recorder.clear();
      write.call().on(documents, key);
      List<Statement> alone =
          recorder.statements().stream().filter(s -> s.autoCommit() && s.writes() > 0).toList();
      // A routine that needs the row to be locked first writes nothing; only its last call writes.
      long calls = alone.stream().filter(s -> s.sql().contains("_edit(")).count();
      assertThat(alone.size() - Math.max(0, calls - 1)).as(write.name()).isLessThanOrEqualTo(1);
      alone.forEach(s -> assertThat(s.writes()).isLessThanOrEqualTo(1));
    }
  }

  @Test
  void everyStatementOnNodes_namesTheDocument() throws Exception {
    everyCall(() -> {});
    assertThat(recorder.statements()).anyMatch(s -> NODES.matcher(s.sql()).find());
    for (Statement s : recorder.statements()) {
      long used = NODES.matcher(s.sql()).results().count();
      assertThat(NAMED.matcher(s.sql()).results().count())
          .as("nodes without their document in %s", s.sql())
          .isGreaterThanOrEqualTo(used);
    }
  }
}
