package io.pgtoaster.it.hibernate.report;

/** An entity with an {@link Invoice} as an attribute, mapped in one way. */
interface Mapped {
  /** Reads the small members and one line. */
  String read();

  /** Reads a big member. */
  String readBig();

  /** Changes a small member. */
  void changeStatus(String status);

  /** Changes one value in a big member. */
  void changeQuantity(int quantity);
}
