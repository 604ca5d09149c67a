package io.pgtoaster.it.hibernate.jsonb;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * A document.
 *
 * @param nick short
 * @param height short
 * @param balance a number whose exact digits matter
 * @param roles long, so that it is stored out of line
 * @param bio long, so that it is stored out of line
 */
record Profile(String nick, int height, BigDecimal balance, List<Role> roles, String bio) {
  /** An element of an array. */
  record Role(String title, int year) {}

  static Profile small(String nick) {
    return new Profile(nick, 170, new BigDecimal("1.00"), List.of(), "short");
  }

  /** Returns a document of about 40 KB. */
  static Profile big(String nick) {
    List<Role> roles = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      roles.add(new Role("role " + i + " of " + nick, 1900 + i % 100));
    }
    return new Profile(nick, 180, new BigDecimal("1234567890.10"), roles, nick.repeat(2000));
  }
}
