package io.pgtoaster.examples.app.web;

import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.ConnectionUnavailableException;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.InvalidPathException;
import java.util.concurrent.RejectedExecutionException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Converts failures to RFC 9457 problems, which the page displays. */
@RestControllerAdvice
final class Problems extends ResponseEntityExceptionHandler {
  Problems() {}

  @ExceptionHandler({
    InvalidPathException.class,
    InvalidJsonException.class,
    InvalidOffsetException.class,
    NumberFormatException.class
  })
  ProblemDetail onBadInput(RuntimeException e) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
  }

  @ExceptionHandler({
    ConnectionLostException.class,
    ConnectionUnavailableException.class,
    CannotCreateTransactionException.class,
    DataAccessResourceFailureException.class
  })
  ProblemDetail onNoDatabase(RuntimeException e) {
    logger.error("The database does not respond", e);
    return ProblemDetail.forStatusAndDetail(
        HttpStatus.SERVICE_UNAVAILABLE, "The database does not respond.");
  }

  @ExceptionHandler(RejectedExecutionException.class)
  ProblemDetail onTooMany(RejectedExecutionException e) {
    return ProblemDetail.forStatusAndDetail(
        HttpStatus.SERVICE_UNAVAILABLE, "The log has too many followers.");
  }
}
