package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidKeyException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.CharBuffer;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Wrong keys, paths and values. */
interface DocumentBadInputContract extends DocumentContract {
  /** Calls on a row; each must check that the row exists. */
  List<Consumer<Call>> CALLS =
      List.of(
          c -> c.documents.at(c.key, "a").get(),
          c -> c.documents.at(c.key, "a").get(String.class),
          c -> c.documents.text(c.key),
          c -> c.documents.load(c.key),
          c -> c.documents.load(c.key, new StringWriter()),
          c -> c.documents.at(c.key, "a").exists(),
          c -> c.documents.at(c.key, "").type(),
          c -> c.documents.at(c.key, "").size(),
          c -> c.documents.at(c.key, "").keys(),
          c -> c.documents.at(c.key, "a").slice(0, 1),
          c -> c.documents.stream(c.key),
          c -> c.documents.putJson(c.key, "{}"),
          c -> c.documents.at(c.key, "a").set(1),
          c -> c.documents.at(c.key, "").set(1),
          c -> c.documents.at(c.key, "a.b").set(1, SetOptionsContract.CREATE),
          c -> c.documents.at(c.key, "a").insert(1),
          c -> c.documents.at(c.key, "a").append(1),
          c -> c.documents.at(c.key, "").append(),
          c -> c.documents.at(c.key, "a").remove(),
          c -> c.documents.at(c.key, "a").increment(1),
          c -> c.documents.mergeJson(c.key, "{}"),
          c -> c.documents.patchJson(c.key, "[{\"op\": \"remove\", \"path\": \"/a\"}]"),
          c -> c.documents.clear(c.key),
          c -> c.documents.stat(c.key),
          c -> c.documents.verify(c.key),
          c -> c.documents.compact(c.key));

  record Call(DocumentColumn documents, Object key) {}

  @Test
  default void unknownRow_isRefused() {
    Object key = fx().unknownKey();
    DocumentColumn documents = fx().documents();
    for (int i = 0; i < CALLS.size(); i++) {
      Consumer<Call> call = CALLS.get(i);
      RowNotFoundException e =
          Expect.refused(RowNotFoundException.class, () -> call.accept(new Call(documents, key)));
      assertThat(e.getMessage()).as("call %d", i).contains("item.doc", "key ");
    }
  }

  @Test
  default void keyOfAnotherType_isRefused_andTheTransactionContinues() throws Exception {
    Object key = fx().row("{\"a\": 1}");
    Connection connection = fx().begin();
    DocumentColumn documents = fx().on(connection);
    Object wrong = key instanceof List<?> list ? List.of(list.get(0), "no") : "no";
    for (int i = 0; i < CALLS.size(); i++) {
      Consumer<Call> call = CALLS.get(i);
      InvalidKeyException e =
          Expect.refused(InvalidKeyException.class, () -> call.accept(new Call(documents, wrong)));
      assertThat(e)
          .as("call %d", i)
          .hasMessageContaining("item.doc, key ")
          .hasMessageContaining("key column \"id\" has the type ")
          .hasMessageContaining("java.lang.String");
    }
    Expect.refused(
        InvalidKeyException.class,
        () -> documents.getAll(List.of(key, wrong), DocumentPath.root()));
    assertThat(documents.at(key, "a").get(Integer.class)).contains(1);
    connection.rollback();
  }

  @Test
  default void keyOfAnotherShape_isRefused() {
    DocumentColumn documents = fx().documents();
    Expect.refused(InvalidKeyException.class, () -> documents.at(List.of(1, 2, 3), "a").get());
    Expect.refused(InvalidKeyException.class, () -> documents.at("no such thing", "a").get());
  }

  @Test
  default void malformedPaths_areRefused() {
    Object key = fx().row("{\"a\": 1}");
    DocumentColumn documents = fx().documents();
    for (String path :
        List.of("a.", "a[", "a[x]", "[\"a", "a]", "/~2", "a..b", ".a", "$", "$.a", "$[0]")) {
      Expect.refused(InvalidPathException.class, () -> documents.at(key, path).get());
      Expect.refused(InvalidPathException.class, () -> documents.at(key, path).set(1));
      Expect.refused(InvalidPathException.class, () -> documents.at(key, path).remove());
    }
    fx().assertDocument(key, "{\"a\": 1}");
  }

  @Test
  default void invalidRanges_areRefused() {
    Object key = fx().row("[1, 2, 3]");
    DocumentColumn documents = fx().documents();
    for (long[] range : new long[][] {{2, 1}, {-1, -2}, {Long.MAX_VALUE, 0}}) {
      Expect.refused(
          InvalidOffsetException.class, () -> documents.at(key, "").slice(range[0], range[1]));
    }
    Expect.refused(InvalidOffsetException.class, () -> documents.at(key, "").keys(-1));
    assertThat(documents.at(key, "").slice(0, Long.MAX_VALUE).orElseThrow()).hasSize(3);
    assertThat(documents.at(key, "").slice(Long.MAX_VALUE - 1, Long.MAX_VALUE).orElseThrow())
        .isEmpty();
  }

  @Test
  default void jsonText_isNotAcceptedAsAValue() {
    Object key = fx().row("{\"a\": 1}");
    DocumentColumn documents = fx().documents();
    for (Object text : List.of("{}", CharBuffer.wrap("[]"), InputStream.nullInputStream())) {
      assertThat(Expect.refused(InvalidJsonException.class, () -> documents.put(key, text)))
          .hasMessageContaining("putJson");
      assertThat(Expect.refused(InvalidJsonException.class, () -> documents.insert(key, text)))
          .hasMessageContaining("insertJson");
      assertThat(Expect.refused(InvalidJsonException.class, () -> documents.merge(key, text)))
          .hasMessageContaining("mergeJson");
      assertThat(Expect.refused(InvalidJsonException.class, () -> documents.patch(key, text)))
          .hasMessageContaining("patchJson");
    }
    fx().assertDocument(key, "{\"a\": 1}");
  }

  @Test
  default void columnsWithoutDocuments_areRefused() {
    PgToaster toaster = PgToaster.create(fx().pool());
    Object key = fx().row("{}");
    for (String column : List.of("name", "missing")) {
      DocumentColumn documents = toaster.documents(DocumentFixture.TABLE, column);
      Expect.refused(ColumnNotFoundException.class, () -> documents.at(key, "a").get());
    }
    Expect.refused(
        ColumnNotFoundException.class,
        () -> toaster.documents("missing", "doc").at(key, "a").get());
    Expect.refused(
        ColumnNotFoundException.class,
        () -> toaster.documents(ColumnName.of("missing", "item", "doc")).at(key, "a").get());
    assertThat(toaster.documents(ColumnName.of(fx().database().schema(), "item", "doc")).text(key))
        .contains("{}");
  }

  @Test
  default void closedConnection_isReported() throws Exception {
    Object key = fx().row("{\"a\": 1}");
    Connection connection = fx().connect();
    DocumentColumn documents = fx().on(connection);
    assertThat(documents.at(key, "a").exists()).isTrue();
    connection.close();
    Expect.refused(PgToasterException.class, () -> documents.at(key, "a").get());
    Expect.refused(PgToasterException.class, () -> documents.at(key, "a").set(2));
    Expect.refused(PgToasterException.class, () -> documents.putJson(key, "{}"));
    Expect.refused(PgToasterException.class, () -> documents.stream(key));
    fx().assertDocument(key, "{\"a\": 1}");
  }

  @Test
  default void messages_namePlaces_butNoContentOfTheDocument() {
    String secret = "secret-4711";
    Object key = fx().row("{\"list\": [\"" + secret + "\"], \"s\": \"" + secret + "\"}");
    DocumentColumn documents = fx().documents();
    for (Consumer<DocumentColumn> wrong :
        List.<Consumer<DocumentColumn>>of(
            d -> d.at(key, "s").get(Integer.class),
            d -> d.at(key, "list").get(Map.class),
            d -> d.at(key, "s").increment(1),
            d -> d.at(key, "s").insert(secret),
            d -> d.at(key, "list.x").set(secret),
            d -> d.at(key, "list").set(secret + "\0"))) {
      Throwable thrown = catchThrowable(() -> wrong.accept(documents));
      assertThat(thrown).isInstanceOf(PgToasterException.class);
      assertSilent(thrown, secret);
    }
    for (String json : List.of("{\"a\": " + secret, "[\"" + secret + "\\u0000\"]", secret)) {
      InvalidJsonException e =
          Expect.refused(InvalidJsonException.class, () -> documents.putJson(key, json));
      assertThat(e.getMessage()).contains("item.doc", "key ");
      assertSilent(e, secret);
    }
    PgToasterException e =
        Expect.refused(
            PgToasterException.class,
            () -> documents.patchJson(key, "[{\"op\":\"test\",\"path\":\"/s\",\"value\":\"x\"}]"));
    assertSilent(e, secret);
    InvalidPathException at =
        Expect.refused(InvalidPathException.class, () -> documents.at(key, "list[0]").increment(1));
    assertThat(at.getMessage()).contains("item.doc", "key ", "path list[0]");
  }

  private static void assertSilent(Throwable thrown, String secret) {
    StringWriter all = new StringWriter();
    thrown.printStackTrace(new PrintWriter(all));
    assertThat(all.toString()).doesNotContain(secret);
  }

  @Test
  default void missingArgument_isRefused() {
    Object key = fx().row("{}");
    DocumentColumn documents = fx().documents();
    Object nothing = null;
    assertThatThrownBy(() -> documents.put(key, nothing)).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> documents.mergeJson(key, null)).isInstanceOf(RuntimeException.class);
    fx().assertDocument(key, "{}");
  }
}
