/**
 * Functions and paths of HQL and of the Criteria API over attributes with content.
 *
 * <p>Blobs: {@code length(e.audio)} and {@code octet_length(e.audio)} are bytes, as a {@code Long};
 * {@code substring(e.audio, from[, count])} gives bytes, from 1.
 *
 * <p>Documents, where {@code path} is a literal as {@link io.pgtoaster.jsonb.DocumentPath#parse}
 * reads it:
 *
 * <table>
 * <caption>Functions over documents</caption>
 * <tr><th>in a query</th><th>result</th></tr>
 * <tr><td>{@code p.profile['roles'][0].title} (HQL only)</td><td>text</td></tr>
 * <tr><td>{@code keyed_text(p.profile, path)}</td><td>text</td></tr>
 * <tr><td>{@code keyed_at(p.profile, step, ...)}: steps may be parameters</td><td>text</td></tr>
 * <tr><td>{@code keyed_number(p.profile, path)}</td><td>{@link java.math.BigDecimal}</td></tr>
 * <tr><td>{@code keyed_boolean(p.profile, path)}</td><td>boolean</td></tr>
 * <tr><td>{@code keyed_get(p.profile, path)}</td><td>{@link tools.jackson.databind.JsonNode}</td></tr>
 * <tr><td>{@code keyed_exists(p.profile, path)}</td><td>boolean, true for a JSON null, too</td></tr>
 * <tr><td>{@code keyed_contains(p.profile, json)}</td><td>boolean</td></tr>
 * </table>
 *
 * <p>Text of a string is the string itself, of anything else its JSON; a JSON null and a missing
 * member are NULL. What the mapping keeps in the row, and every path of the toaster {@code
 * default}, is rendered as an expression index is written: {@code profile->>'name'}, {@code
 * profile->'address'->>'city'}, and where a position is on the way {@code profile#>>'{roles,0}'};
 * everything else as {@code pgtoaster.get_text(profile, '{roles,0,title}')}, which sees members
 * that have left the row. The mapping must say what the column was attached with.
 */
@NullMarked
package io.pgtoaster.hibernate.query;

import org.jspecify.annotations.NullMarked;
