package io.pgtoaster.it.hibernate.report;

/** The document as records. A change replaces them and shares the unchanged parts. */
interface AsRecords extends Mapped {
  Invoice document();

  void document(Invoice changed);

  @Override
  default String read() {
    Invoice all = document();
    return all.title() + all.status() + all.customer() + all.lines().get(Invoice.LINE);
  }

  @Override
  default String readBig() {
    return document().notes();
  }

  @Override
  default void changeStatus(String status) {
    document(document().withStatus(status));
  }

  @Override
  default void changeQuantity(int quantity) {
    document(document().withQuantity(quantity));
  }
}
