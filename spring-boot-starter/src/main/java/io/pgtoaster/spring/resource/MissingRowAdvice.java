package io.pgtoaster.spring.resource;

import io.pgtoaster.error.RowNotFoundException;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Answers 404 where a controller appends to, changes or reads a row that is not there. Names of
 * tables, which the exception has, stay on the server.
 */
@ControllerAdvice
@Order // Last: the application's own advice is asked first.
final class MissingRowAdvice {
  MissingRowAdvice() {}

  @ExceptionHandler
  ErrorResponse missing(RowNotFoundException e) {
    return ErrorResponse.create(e, HttpStatus.NOT_FOUND, "there is no row with this key");
  }
}
