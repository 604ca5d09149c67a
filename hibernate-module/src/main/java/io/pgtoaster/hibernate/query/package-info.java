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
 * member are NULL. A document in a comparison, {@code p.profile = :profile}, is the whole document.
 *
 * <p>Changes, as values for the attribute itself in the SET clause of an update, of which {@code
 * set p.profile['roles'][0].title = :title} is short for the first. A value is a parameter of any
 * class that is mapped as JSON, a literal or an expression; NULL is a JSON null:
 *
 * <table>
 * <caption>Functions that give an edited document</caption>
 * <tr><th>in a query</th><th>as in SQL</th></tr>
 * <tr><td>{@code keyed_set(p.profile, path, value)}</td><td>{@code pgtoaster.set}</td></tr>
 * <tr><td>{@code keyed_set_at(p.profile, value, step, ...)}</td><td>{@code pgtoaster.set}</td></tr>
 * <tr><td>{@code keyed_insert(p.profile, path, value)}</td><td>{@code pgtoaster.insert}</td></tr>
 * <tr><td>{@code keyed_append(p.profile, path, value)}</td><td>{@code pgtoaster.append}</td></tr>
 * <tr><td>{@code keyed_remove(p.profile, path)}</td><td>{@code pgtoaster.remove}</td></tr>
 * <tr><td>{@code keyed_increment(p.profile, path[, delta])}</td><td>{@code
 * pgtoaster.increment}</td></tr>
 * </table>
 *
 * <p>In the Criteria API {@link io.pgtoaster.hibernate.query.DocumentExpressions} calls them.
 *
 * <p>What the mapping keeps in the row, and every path of the toaster {@code default}, is rendered
 * as an expression index is written: {@code profile->>'name'}, {@code profile->'address'->>'city'},
 * and where a position is on the way {@code profile#>>'{roles,0}'}; everything else as {@code
 * pgtoaster.get_text(profile, '{roles,0,title}')}, which sees members that are stored out of line.
 * The mapping must say what the column was attached with.
 */
@NullMarked
package io.pgtoaster.hibernate.query;

import org.jspecify.annotations.NullMarked;
