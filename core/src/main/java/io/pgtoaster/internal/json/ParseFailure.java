package io.pgtoaster.internal.json;

import io.pgtoaster.error.InvalidJsonException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/** Translates Jackson's exceptions and drops the parts of the text that they quote. */
final class ParseFailure {
  private ParseFailure() {}

  static RuntimeException translated(RuntimeException e) {
    if (e instanceof NumberFormatException) {
      return new InvalidJsonException("jsonb cannot store this: " + Numbers.OUTSIDE);
    }
    return e instanceof JacksonException jackson ? translated(jackson) : e;
  }

  private static RuntimeException translated(JacksonException e) {
    if (e instanceof JacksonIOException && e.getCause() instanceof IOException io) {
      return io instanceof CharacterCodingException
          ? new InvalidJsonException("the text is not UTF-8" + place(e.getLocation()))
          : new UncheckedIOException(io);
    }
    String what = "the text is not JSON";
    if (e instanceof StreamConstraintsException) {
      String limit = String.valueOf(e.getOriginalMessage());
      what =
          limit.contains("getMaxStringLength") || limit.contains("getMaxNameLength")
              ? ("a string or key has more than the %s characters that the system property %s"
                      + " allows")
                  .formatted(Json.MAX_STRING_CHARS, Json.MAX_STRING_PROPERTY)
              : "the text exceeds a limit: " + limit;
    } else if (String.valueOf(e.getOriginalMessage()).contains("0xfeff")) {
      what = "the text begins with a byte order mark, U+FEFF, which is not JSON; remove it";
    } else if (e instanceof UnexpectedEndOfInputException) {
      what = "the text ends within a JSON value";
    }
    return new InvalidJsonException(what + place(e.getLocation()));
  }

  static String place(@Nullable TokenStreamLocation where) {
    if (where == null || where.getLineNr() <= 0) {
      return "";
    }
    return ", at line " + where.getLineNr() + ", column " + where.getColumnNr();
  }
}
