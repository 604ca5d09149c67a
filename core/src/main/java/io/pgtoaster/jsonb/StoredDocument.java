package io.pgtoaster.jsonb;

import java.util.List;

/** Implements {@link DocumentStat}; the components are its methods. */
record StoredDocument(
    boolean split,
    long inlineBytes,
    long inlineMembers,
    long splitMembers,
    long leaves,
    long innerNodes,
    long rawBytes,
    long storedBytes,
    int depth,
    List<Member> largest)
    implements DocumentStat {
  StoredDocument {
    largest = List.copyOf(largest);
  }
}
