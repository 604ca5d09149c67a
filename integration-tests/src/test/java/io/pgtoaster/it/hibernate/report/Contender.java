package io.pgtoaster.it.hibernate.report;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * One way to map the document.
 *
 * @param name in the report
 * @param held what the client holds of the document when it has read from it
 * @param flush what a flush does with the document
 * @param entity its class
 * @param fresh makes a new one
 */
record Contender(
    String name,
    String held,
    Flush flush,
    Class<? extends Mapped> entity,
    BiFunction<Long, Invoice, Mapped> fresh) {
  private static final String TWICE = "all, and a copy";

  /** What a flush does with a document that nobody has changed. */
  enum Flush {
    /** Looks whether there are changes, or another object. */
    LOOKS,
    /** Compares all of it with what was loaded. */
    COMPARES,
    /** Makes two texts of it and reads them. */
    SERIALIZES,
    /** Takes it for changed. */
    WRITES
  }

  static final Contender KEYED =
      new Contender(
          "pgtoaster, `KeyedJson`", "what was read", Flush.LOOKS, Keyed.class, Keyed::new);

  private static final List<Contender> OTHERS =
      List.of(
          new Contender(
              "Hibernate, map", TWICE, Flush.COMPARES, HibernateMap.class, HibernateMap::new),
          new Contender(
              "JsonType, map",
              TWICE,
              Flush.COMPARES,
              HypersistenceMap.class,
              HypersistenceMap::new),
          new Contender(
              "JsonType, class",
              TWICE,
              Flush.SERIALIZES,
              HypersistenceBean.class,
              HypersistenceBean::new));

  private static final List<Contender> MORE =
      List.of(
          new Contender("pgtoaster, map", TWICE, Flush.COMPARES, KeyedMap.class, KeyedMap::new),
          new Contender(
              "pgtoaster, records", "all", Flush.LOOKS, KeyedRecords.class, KeyedRecords::new),
          new Contender(
              "Hibernate, class", TWICE, Flush.WRITES, HibernateBean.class, HibernateBean::new),
          new Contender(
              "Hibernate, records",
              "all",
              Flush.LOOKS,
              HibernateRecords.class,
              HibernateRecords::new),
          new Contender(
              "JsonType, records",
              TWICE,
              Flush.COMPARES,
              HypersistenceRecords.class,
              HypersistenceRecords::new));

  /** {@link #KEYED} first, then the usual ones, or all. */
  static List<Contender> list(boolean all) {
    return Stream.of(List.of(KEYED), OTHERS, all ? MORE : List.<Contender>of())
        .flatMap(List::stream)
        .toList();
  }

  boolean isOther() {
    return !name.startsWith("pgtoaster");
  }
}
