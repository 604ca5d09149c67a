package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.error.PgToasterException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The exceptions that rejected calls must throw. */
public final class Expect {
  private Expect() {}

  /** Asserts a typed exception with an SQLState and without any of the content. */
  public static <E extends PgToasterException> E refused(Class<E> type, ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(type);
    E e = type.cast(thrown);
    assertThat(e.sqlState()).as("SQLState of %s", e).matches("[0-9A-Z]{5}");
    assertThat(e.sqlState()).as("a syntax error: %s", e).isNotEqualTo("42601");
    assertThat(e.getMessage()).isNotBlank();
    return e;
  }

  /** Asserts that an append is refused because the blob has another length. */
  public static OffsetConflictException conflict(long actual, ThrowingCallable append) {
    OffsetConflictException e = refused(OffsetConflictException.class, append);
    assertThat(e.actual()).isEqualTo(actual);
    return e;
  }

  /** Asserts a typed exception, thrown directly or as the cause of an IOException. */
  public static <E extends PgToasterException> E failed(Class<E> type, ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    Throwable typed = thrown instanceof PgToasterException ? thrown : causeOf(thrown);
    assertThat(typed).as("%s", thrown).isInstanceOf(type);
    return refused(
        type,
        () -> {
          throw typed;
        });
  }

  private static Throwable causeOf(Throwable thrown) {
    assertThat(thrown).as("nothing was thrown").isNotNull();
    Throwable t = thrown;
    while (t.getCause() != null && !(t instanceof PgToasterException)) {
      t = t.getCause();
    }
    return t;
  }
}
