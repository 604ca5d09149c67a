package io.pgtoaster.it.hibernate.report;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Keyed implements Mapped {
  private static final String LINE = "lines." + Invoice.LINE;

  @Id long id;
  KeyedJson<Invoice> doc;

  Keyed() {}

  Keyed(long id, Invoice invoice) {
    this.id = id;
    this.doc = KeyedJson.of(invoice);
  }

  @Override
  public String read() {
    return "" + doc.get("title") + doc.get("status") + doc.get("customer") + doc.get(LINE);
  }

  @Override
  public String readBig() {
    return doc.get("notes", String.class).orElseThrow();
  }

  @Override
  public void changeStatus(String status) {
    doc.set("status", status);
  }

  @Override
  public void changeQuantity(int quantity) {
    doc.set(LINE + ".quantity", quantity);
  }
}
