package io.pgtoaster.it.hibernate.report;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The document as an ordinary class that changes in place. It has no {@code equals}. */
@SuppressWarnings("serial")
final class Bean implements Serializable {
  private static final long serialVersionUID = 1;

  public String title;
  public String status;
  public int revision;
  public Map<String, String> customer;
  public Map<String, Line> lines;
  public List<Event> history;
  public String notes;

  static final class Line implements Serializable {
    private static final long serialVersionUID = 1;

    public String text;
    public double price;
    public int quantity;
    public List<String> tags;
  }

  static final class Event implements Serializable {
    private static final long serialVersionUID = 1;

    public long at;
    public String who;
    public String what;
  }

  static Bean of(Invoice invoice) {
    return JsonMapper.shared().readValue(invoice.json(), Bean.class);
  }
}
