package io.pgtoaster.jsonb.keyed.edit;

import java.util.Locale;

/** The outcomes of the store's routine; {@code document/edit_template.sql} describes them. */
enum Outcome {
  APPLIED,
  MISSED,
  CONFLICT,
  POSITION,
  SCALAR,
  EXISTS,
  NUMBER,
  LOCK,
  AGAIN,
  HEAD;

  static Outcome of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
