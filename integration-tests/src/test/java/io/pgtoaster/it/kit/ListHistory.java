package io.pgtoaster.it.kit;

import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A history of transactions that append to lists and read them. Finds anomalies that their
 * isolation level forbids (Adya's phenomena, as in Kingsbury and Alvaro's Elle). A list contains
 * its writes in order, so each read shows which writes came before it and which after it.
 */
public final class ListHistory {
  public sealed interface Op permits Append, Read {
    int list();
  }

  /** Each element is appended only once. */
  public record Append(int list, int element) implements Op {}

  /** The whole list. */
  public record Read(int list, List<Integer> elements) implements Op {}

  /** The operations of a committed or rolled back transaction; both times use one clock. */
  public record Transaction(List<Op> ops, boolean committed, long begun, long ended) {}

  private final List<Transaction> transactions = Collections.synchronizedList(new ArrayList<>());
  private final List<String> anomalies = new ArrayList<>();

  public void add(Transaction transaction) {
    transactions.add(transaction);
  }

  public long committed() {
    return transactions.stream().filter(Transaction::committed).count();
  }

  /**
   * Returns the anomalies.
   *
   * @param isolation a constant of {@link Connection}
   * @param last the final content of the lists
   */
  public List<String> anomalies(int isolation, Map<Integer, List<Integer>> last) {
    anomalies.clear();
    Map<Integer, Transaction> writers = new HashMap<>();
    for (Transaction t : transactions) {
      for (Op op : t.ops()) {
        if (op instanceof Append append) {
          writers.put(append.element(), t);
        }
      }
    }
    last.forEach((list, elements) -> checkLast(list, elements, writers));
    for (Transaction t : transactions) {
      checkAppends(t, last);
      if (t.committed()) {
        checkReads(t, last, writers);
      }
    }
    if (anomalies.isEmpty()) {
      checkOrder(isolation, last, writers);
    }
    return List.copyOf(anomalies);
  }

  private void checkLast(int list, List<Integer> elements, Map<Integer, Transaction> writers) {
    if (new HashSet<>(elements).size() < elements.size()) {
      anomalies.add("doubled: list " + list + " " + elements);
    }
    Set<Transaction> left = Collections.newSetFromMap(new IdentityHashMap<>());
    Transaction before = null;
    for (int element : elements) {
      Transaction writer = writers.get(element);
      if (writer == null || !writer.committed()) {
        anomalies.add("element " + element + " of list " + list + " was never committed");
      } else if (before != null && !writer.equals(before) && !left.add(before)) {
        anomalies.add("G0, dirty write: " + before + " in pieces of list " + list);
      } else if (!writer.equals(before) && left.contains(writer)) {
        anomalies.add("G0, dirty write: " + writer + " in pieces of list " + list);
      }
      before = writer;
    }
  }

  private void checkAppends(Transaction t, Map<Integer, List<Integer>> last) {
    for (Op op : t.ops()) {
      if (op instanceof Append append
          && last.get(append.list()).contains(append.element()) != t.committed()) {
        anomalies.add((t.committed() ? "lost: " : "rolled back and there: ") + append + " of " + t);
      }
    }
  }

  private void checkReads(
      Transaction t, Map<Integer, List<Integer>> last, Map<Integer, Transaction> writers) {
    Map<Integer, List<Integer>> own = new HashMap<>();
    for (Op op : t.ops()) {
      if (op instanceof Append append) {
        own.computeIfAbsent(append.list(), k -> new ArrayList<>()).add(append.element());
      } else if (op instanceof Read read) {
        List<Integer> all = last.get(read.list());
        int count = read.elements().size();
        if (count > all.size() || !all.subList(0, count).equals(read.elements())) {
          anomalies.add("G1a, or another order: " + read + " is no beginning of " + all);
          continue;
        }
        if (!read.elements().containsAll(own.getOrDefault(read.list(), List.of()))) {
          anomalies.add("own appends are not read: " + t);
        }
        if (count > 0 && count < all.size()) {
          Transaction writer = writers.get(all.get(count - 1));
          if (!t.equals(writer) && Objects.equals(writer, writers.get(all.get(count)))) {
            anomalies.add("G1b, half of a transaction: " + read + " of " + all);
          }
        }
      }
    }
  }

  /** Edges between transactions, by number. */
  private static final class Graph {
    final Map<Integer, Set<Integer>> next = new HashMap<>();

    void add(int from, int to) {
      if (from != to) {
        next.computeIfAbsent(from, k -> new HashSet<>()).add(to);
      }
    }

    /** Returns a path, or an empty list. */
    List<Integer> way(int from, int to) {
      Map<Integer, Integer> cameFrom = new LinkedHashMap<>();
      Deque<Integer> open = new ArrayDeque<>(List.of(from));
      while (!open.isEmpty()) {
        int at = open.poll();
        for (int n : next.getOrDefault(at, Set.of())) {
          if (cameFrom.putIfAbsent(n, at) == null) {
            if (n == to) {
              return back(cameFrom, from, to);
            }
            open.add(n);
          }
        }
      }
      return List.of();
    }

    private static List<Integer> back(Map<Integer, Integer> cameFrom, int from, int to) {
      List<Integer> way = new ArrayList<>(List.of(to));
      int at = to;
      do {
        at = cameFrom.get(at);
        way.add(0, at);
      } while (at != from);
      return way;
    }
  }

  /**
   * A transaction comes after the transactions that wrote what it overwrites or reads, and after
   * those that ended before it began. It comes before the transactions that overwrite what it has
   * read.
   */
  private void checkOrder(
      int isolation, Map<Integer, List<Integer>> last, Map<Integer, Transaction> writers) {
    List<Transaction> all = transactions.stream().filter(Transaction::committed).toList();
    IdentityHashMap<Transaction, Integer> numbers = new IdentityHashMap<>();
    all.forEach(t -> numbers.put(t, numbers.size()));
    Graph dependencies = new Graph();
    Graph antiDependencies = new Graph();
    for (List<Integer> elements : last.values()) {
      for (int i = 1; i < elements.size(); i++) {
        dependencies.add(
            numbers.get(writers.get(elements.get(i - 1))),
            numbers.get(writers.get(elements.get(i))));
      }
    }
    for (Transaction t : all) {
      for (Op op : t.ops()) {
        if (op instanceof Read read) {
          int count = read.elements().size();
          List<Integer> elements = last.get(read.list());
          if (count > 0) {
            dependencies.add(numbers.get(writers.get(elements.get(count - 1))), numbers.get(t));
          }
          if (count < elements.size()) {
            antiDependencies.add(numbers.get(t), numbers.get(writers.get(elements.get(count))));
          }
        }
      }
    }
    if (isolation == Connection.TRANSACTION_SERIALIZABLE) {
      Graph everything = new Graph();
      for (Graph graph : List.of(dependencies, antiDependencies)) {
        graph.next.forEach((from, to) -> to.forEach(n -> everything.add(from, n)));
      }
      reportCycles("G2, not serializable", everything, everything, all);
    }
    for (Transaction before : all) {
      for (Transaction after : all) {
        if (before.ended() < after.begun()) {
          dependencies.add(numbers.get(before), numbers.get(after));
        }
      }
    }
    reportCycles("G1c, circular information", dependencies, dependencies, all);
    if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
      reportCycles("G-single, no snapshot", antiDependencies, dependencies, all);
    }
  }

  /** Reports cycles with one edge of the first graph and other edges of the second. */
  private void reportCycles(String name, Graph first, Graph others, Collection<Transaction> all) {
    List<Transaction> list = List.copyOf(all);
    for (Map.Entry<Integer, Set<Integer>> edges : first.next.entrySet()) {
      for (int to : edges.getValue()) {
        List<Integer> way = others.way(to, edges.getKey());
        if (!way.isEmpty()) {
          anomalies.add(name + ": " + way.stream().map(list::get).toList());
          return;
        }
      }
    }
  }
}
