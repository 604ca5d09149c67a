package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Cuts;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Figures;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A connection breaks at any message of a call on a document. The call throws a typed exception and
 * takes effect completely or not at all.
 */
@Tag("ci")
@Tag("turn-0")
@ParameterizedClass(name = "{1}, {0}")
@MethodSource("columns")
class DocumentBrokenConnectionIT {
  private static final int MOST_MESSAGES = 100;
  private static final String BEFORE = Documents.big(25);
  private static final String OTHER = Documents.big(26);

  enum Call {
    GET(d -> d.at(1L, "items[3].text").get()),
    LOAD(d -> d.load(1L, OutputStream.nullOutputStream())),
    VERIFY(d -> d.verify(1L)),
    SET(d -> d.at(1L, "price").set(13)),
    SET_DEEP(d -> d.at(1L, "items[3].text").set("changed")),
    INSERT(d -> d.at(1L, "items[0]").insert("first")),
    REMOVE(d -> d.at(1L, "index").remove()),
    MERGE(d -> d.merge(1L, Map.of("id", 8, "deep", "shallow"))),
    PUT(d -> d.putJson(1L, OTHER)),
    COMPACT(d -> d.compact(1L)),
    CLEAR(d -> d.clear(1L)),
    EDIT_ALL(d -> d.editAll(Map.of(1L, Call.edits()))),
    EDIT_EACH(d -> d.editEach(Map.of(1L, Call.edits(), 7L, Call.edits())));

    @SuppressWarnings("ImmutableEnumChecker")
    private final Consumer<DocumentColumn> step;

    Call(Consumer<DocumentColumn> step) {
      this.step = step;
    }

    private static List<JsonEdit> edits() {
      return List.of(
          new JsonEdit.Increment(DocumentPath.parse("price"), BigDecimal.ONE),
          new JsonEdit.Remove(DocumentPath.parse("items[3]")));
    }
  }

  /** The calls that run on plain jsonb. The others are also single statements. */
  private static final Set<Call> PLAIN = EnumSet.of(Call.GET, Call.SET, Call.MERGE, Call.PUT);

  @Parameter(0)
  ColumnSpec spec;

  @Parameter(1)
  Call call;

  private DocumentFixture fx;
  private Cuts cuts;

  static Stream<Arguments> columns() {
    return Stream.of(DocumentSpec.keyed("{}"), DocumentSpec.stock())
        .flatMap(
            spec ->
                Arrays.stream(Call.values())
                    .filter(call -> spec.hasStore() || PLAIN.contains(call))
                    .map(call -> Arguments.of(spec, call)));
  }

  @BeforeEach
  void open() throws Exception {
    fx = new DocumentFixture(new Setting(PostgresServers.newest(), true), spec);
    cuts = new Cuts(fx.database());
    fx.run("INSERT INTO item (id) VALUES (1)");
  }

  @AfterEach
  void close() throws Exception {
    cuts.close();
    fx.close();
  }

  @Test
  void connectionCutAtAnyMessage_leavesNothingHalfDone() {
    fx.own().putJson(1L, BEFORE);
    String before = fx.document(1L);
    call.step.accept(fx.own());
    String after = fx.document(1L);
    int cuts = Cuts.atEachMessage(MOST_MESSAGES, (m, d) -> runCutAt(m, d, before, after));
    Figures.add(
        "DocumentBrokenConnectionIT#connectionCutAtAnyMessage_leavesNothingHalfDone", "cuts", cuts);
  }

  /** Returns false if the call ended before that message. */
  private boolean runCutAt(int message, boolean delivered, String before, String after) {
    String where = call + " cut at message " + message + (delivered ? ", delivered" : "");
    if (!before.equals(fx.document(1L))) {
      fx.own().putJson(1L, BEFORE);
    }
    Cuts.Cut cut =
        cuts.run(
            message,
            delivered,
            toaster -> documents(toaster).at(1L, "id").type(),
            toaster -> call.step.accept(documents(toaster)));
    String now = fx.document(1L);
    assertThat(fx.own().verify(1L)).as(where).isEmpty();
    assertThat(fx.orphans()).as(where).isEmpty();
    if (cut.thrown() == null) {
      assertThat(now).as(where).isEqualTo(after);
      return cut.hit();
    }
    assertThat(cut.thrown().sqlState()).as(where).startsWith("08");
    if (cut.thrown() instanceof ConnectionLostException) {
      assertThat(now).as(where).isEqualTo(before);
    } else {
      assertThat(cut.thrown()).as(where).isInstanceOf(OutcomeUnknownException.class);
      assertThat(now).as(where).isIn(before, after);
    }
    return true;
  }

  private static DocumentColumn documents(PgToaster toaster) {
    return toaster.documents(DocumentFixture.TABLE, DocumentFixture.COLUMN);
  }
}
