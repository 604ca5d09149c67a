package io.pgtoaster.it.hibernate.report;

import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The document as maps and lists that change in place. */
interface AsMap extends Mapped {
  Map<String, Object> document();

  static Map<String, Object> of(Invoice invoice) {
    return JsonMapper.shared().readValue(invoice.json(), new TypeReference<>() {});
  }

  private Map<String, Object> line() {
    return member(member(document(), "lines"), Invoice.LINE);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> member(Map<String, Object> map, String name) {
    return (Map<String, Object>) map.get(name);
  }

  @Override
  default String read() {
    Map<String, Object> all = document();
    return "" + all.get("title") + all.get("status") + all.get("customer") + line();
  }

  @Override
  default String readBig() {
    return (String) document().get("notes");
  }

  @Override
  default void changeStatus(String status) {
    document().put("status", status);
  }

  @Override
  default void changeQuantity(int quantity) {
    line().put("quantity", quantity);
  }
}
