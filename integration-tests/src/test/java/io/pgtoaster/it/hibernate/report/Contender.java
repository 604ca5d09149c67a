package io.pgtoaster.it.hibernate.report;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * One way to map the document.
 *
 * @param name the name in the report
 * @param held the parts of the document that the client keeps after reading from it
 * @param flush how a flush processes the document
 * @param entity the class of the entity
 * @param fresh creates an entity
 */
record Contender(
    String name,
    String held,
    Flush flush,
    Class<? extends Mapped> entity,
    BiFunction<Long, Invoice, Mapped> fresh) {
  private static final String TWICE = "all, and a copy";

  /** How a flush processes an unchanged document. */
  enum Flush {
    /** Checks for recorded changes or another object. */
    LOOKS,
    /** Compares all of it with the loaded state. */
    COMPARES,
    /** Serializes it twice and parses both texts. */
    SERIALIZES,
    /** Assumes that it has always changed. */
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

  /** Returns {@link #KEYED} first, then the usual mappings, or all. */
  static List<Contender> list(boolean all) {
    return Stream.of(List.of(KEYED), OTHERS, all ? MORE : List.<Contender>of())
        .flatMap(List::stream)
        .toList();
  }

  boolean isOther() {
    return !name.startsWith("pgtoaster");
  }
}
