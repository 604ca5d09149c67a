/**
 * Functions and paths for attributes with content, in HQL and the Criteria API.
 *
 * <p>Blobs: {@code length(e.audio)} and {@code octet_length(e.audio)} return the number of bytes,
 * as a {@code Long}; {@code substring(e.audio, from[, count])} returns bytes, counted from 1.
 *
 * <p>Documents, where {@code path} is a literal in the syntax of {@link
 * io.pgtoaster.column.DocumentPath#parse}:
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
 * <tr><td>{@code keyed_exists(p.profile, path)}</td><td>boolean, also true for JSON null</td></tr>
 * <tr><td>{@code keyed_contains(p.profile, json)}</td><td>boolean</td></tr>
 * <tr><td>{@code keyed_matches(p.profile, words)}: needs a text index</td><td>boolean</td></tr>
 * </table>
 *
 * <p>The text of a string is the string itself, and of any other value its JSON. A JSON null and a
 * missing member are NULL. A comparison, {@code p.profile = :profile}, uses the whole document.
 *
 * <p>The following functions return an edited document, as the value for the attribute itself in
 * the SET clause of an update. {@code set p.profile['roles'][0].title = :title} is short for the
 * first function. A value is a parameter of any class that is mapped to JSON, a literal or an
 * expression; NULL is a JSON null:
 *
 * <table>
 * <caption>Functions that return an edited document</caption>
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
 * <p>Paths that the mapping keeps in line, and all paths of the toaster {@code default}, are
 * rendered in the form that expression indexes use: {@code profile->>'name'}, {@code
 * profile->'address'->>'city'}, and {@code profile#>>'{roles,0}'} if the path contains a position.
 * Other paths are rendered as {@code pgtoaster.get_text(profile, '{roles,0,title}')}, which also
 * reads members that are stored out of line. The options in the mapping must match those with which
 * the column was attached.
 */
@NullMarked
package io.pgtoaster.hibernate.query;

import org.jspecify.annotations.NullMarked;
