package io.pgtoaster.column;

/**
 * A row found by {@link io.pgtoaster.jsonb.DocumentColumn#searchRanked}.
 *
 * @param key the value of the key column, or a list of values for a composite key
 * @param rank the higher, the better; comparable only within one search
 * @param snippet the best passage of the document, with the words between {@code <b>} and {@code
 *     </b>}, as PostgreSQL's {@code ts_headline} returns it. It is not escaped for HTML
 */
public record SearchHit(Object key, float rank, String snippet) {}
