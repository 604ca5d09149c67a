package io.pgtoaster.it.hibernate.report;

/** The document as a {@link Bean}. */
interface AsBean extends Mapped {
  Bean document();

  @Override
  default String read() {
    Bean all = document();
    Bean.Line line = all.lines.get(Invoice.LINE);
    return all.title + all.status + all.customer + line.text + line.quantity;
  }

  @Override
  default String readBig() {
    return document().notes;
  }

  @Override
  default void changeStatus(String status) {
    document().status = status;
  }

  @Override
  default void changeQuantity(int quantity) {
    document().lines.get(Invoice.LINE).quantity = quantity;
  }
}
