package io.pgtoaster.spring.data;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.data.core.PropertyPath;
import org.springframework.data.core.PropertyReferenceException;

/**
 * Explains that a query method's name refers to part of a document or blob, which Spring Data does
 * not support.
 */
final class DerivedQueryFailureAnalyzer
    extends AbstractFailureAnalyzer<PropertyReferenceException> {
  DerivedQueryFailureAnalyzer() {}

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable root, PropertyReferenceException cause) {
    PropertyPath base = cause.getBaseProperty();
    String attribute = base == null ? "notes" : base.toDotPath();
    String member = cause.getPropertyName();
    Class<?> type = cause.getType().getType();
    if (type == KeyedJson.class) {
      return analysis(
          attribute,
          "is a document, whose members are not properties: it has no '" + member + "'.",
          ("Use the path in a query, @Query(\"select e from Entity e where e.%s['%s'] = :value\"),"
                  + " or in a Specification, DocumentSpecifications.hasValue(\"%s\", \"%s\", value).")
              .formatted(attribute, member, attribute, member),
          cause);
    }
    if (type == AppendableBlob.class) {
      return analysis(
          attribute,
          "is a blob, which has no property '" + member + "'.",
          "Use its length or bytes in a query: @Query(\"select e from Entity e where length(e.%s) > :bytes\")."
              .formatted(attribute),
          cause);
    }
    return null;
  }

  private static FailureAnalysis analysis(
      String attribute, String what, String action, PropertyReferenceException cause) {
    return new FailureAnalysis(
        "The name of a query method of a repository refers to part of the attribute '"
            + attribute
            + "', which "
            + what,
        action,
        cause);
  }
}
