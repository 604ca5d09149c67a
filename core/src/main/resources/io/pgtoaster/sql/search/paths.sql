-- Path indexes: the values at paths such as variants[*].price, as words that sort like the values. A GIN index finds a range
-- of words by a few of their prefixes.

-- Returns the steps of a path as jsonpath writes them: ."key" or [*].
CREATE OR REPLACE FUNCTION pgtoaster.path_steps(path text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  text CONSTANT text := CASE WHEN path ~ '^\[' THEN path ELSE '.' || path END;
  -- An index definition would escape quotes and backslashes in keys.
  step CONSTANT text := $re$\[\*\]|\["[^"\\[:cntrl:]]+"\]|\.[^].["'\\[:cntrl:]]+$re$;
  steps text[];
BEGIN
  steps := ARRAY(
    SELECT CASE WHEN m.m[1] = '[*]' THEN m.m[1] WHEN left(m.m[1], 1) = '.' THEN format('."%s"', substr(m.m[1], 2))
                ELSE '.' || substr(m.m[1], 2, length(m.m[1]) - 2) END
    FROM regexp_matches(text, '(' || step || ')', 'g') WITH ORDINALITY m(m, n) ORDER BY m.n);
  IF text !~ ('^(?:' || step || ')+$') OR EXISTS (SELECT FROM unnest(steps) s(s) WHERE s.s ~ '^."[$]+pgtoaster"') THEN
    RAISE EXCEPTION '"%" is not a path that an index can have', path USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Write keys separated by dots, and [*] for all elements of an array: variants[*].price, event["due date"].';
  END IF;
  RETURN steps;
END $$;

-- Returns the keys at the start of a path. A key that looks like a number could be a position in the row.
CREATE OR REPLACE FUNCTION pgtoaster.path_top(steps text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN ARRAY(SELECT substr(s.s, 3, length(s.s) - 3) FROM unnest(steps) WITH ORDINALITY s(s, n)
               WHERE s.n < ALL (SELECT t.n FROM unnest(steps) WITH ORDINALITY t(t, n) WHERE t.t !~ '^."' OR t.t ~ '^."\s*[-+]?[0-9]+"$')
               ORDER BY s.n);
END $$;

-- Returns a path in the form that the catalog uses.
CREATE OR REPLACE FUNCTION pgtoaster.path_name(steps text[]) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN (SELECT ltrim(string_agg(CASE WHEN s.s = '[*]' THEN s.s
                                       WHEN substr(s.s, 3) ~ '[].[''/$]' THEN format('[%s]', substr(s.s, 2))
                                       ELSE '.' || substr(s.s, 3, length(s.s) - 3) END, '' ORDER BY s.n), '.')
          FROM unnest(steps) WITH ORDINALITY s(s, n));
END $$;

-- Returns paths in the form and order of an index, without duplicates.
CREATE OR REPLACE FUNCTION pgtoaster.path_names(paths text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN (SELECT array_agg(DISTINCT pgtoaster.path_name(pgtoaster.path_steps(p.p)) COLLATE "C") FROM unnest(paths) p(p));
END $$;

-- Returns the ends of a path that lead to its values. A row contains the whole path; a leaf may contain any end, because it
-- does not know the path above it. kind: the type of a row or leaf with that end: o(bject), a(rray) or s(calar).
CREATE OR REPLACE FUNCTION pgtoaster.path_ends(steps text[], leaves boolean) RETURNS TABLE (n integer, path jsonpath, kind text)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  FOR i IN 1 .. CASE WHEN leaves THEN cardinality(steps) + 1 ELSE 1 END LOOP
    n := i;
    path := ('$' || array_to_string(steps[n:], ''))::jsonpath;
    kind := CASE WHEN steps[n] = '[*]' THEN 'a' WHEN steps[n] IS NULL THEN 's' ELSE 'o' END;
    RETURN NEXT;
  END LOOP;
END $$;

-- Returns the expression of a path index over a value. The first path has the tag a, the second b; a kind follows each.
-- types: the prefix of the names of types.
CREATE OR REPLACE FUNCTION pgtoaster.path_expression(paths text[], value text, leaves boolean, types text DEFAULT '') RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN (
    SELECT format('pgtoaster.path_terms(%s, %L::%stext, ARRAY[%s])', value,
                  string_agg(chr(96 + p.n::integer) || e.kind, '' ORDER BY p.n, e.n), types,
                  string_agg(format('%L::%sjsonpath', e.path, types), ', ' ORDER BY p.n, e.n))
    FROM unnest(paths) WITH ORDINALITY p(path, n)
    CROSS JOIN LATERAL pgtoaster.path_ends(pgtoaster.path_steps(p.path), leaves) e);
END $$;

-- Returns the paths of an index with such an expression; NULL for another expression.
CREATE OR REPLACE FUNCTION pgtoaster.expression_paths(expression text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  tags CONSTANT text := substring(expression FROM $re$^pgtoaster\.path_terms\(.*, '([a-z]+)'::text, ARRAY\[$re$);
BEGIN
  RETURN (
    SELECT array_agg(pgtoaster.path_name(ARRAY(SELECT s.s[1] FROM regexp_matches(p.path, $re$(\[\*\]|\."[^"]+")$re$, 'g') s(s)))
                     ORDER BY p.tag COLLATE "C")
    FROM (SELECT DISTINCT ON (t.tag) t.tag, replace(m.m[1], '''''', '''') AS path
          FROM regexp_matches(expression, $re$'[$]((?:[^']|'')*)'::jsonpath$re$, 'g') WITH ORDINALITY m(m, n)
          CROSS JOIN LATERAL (SELECT substr(tags, 2 * m.n::integer - 1, 1) AS tag) t
          WHERE tags IS NOT NULL ORDER BY t.tag, m.n) p);
END $$;

-- Returns the kind of a row or leaf.
CREATE OR REPLACE FUNCTION pgtoaster.path_kind(value jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT pg_catalog.translate(pg_catalog."left"(pg_catalog.jsonb_typeof(value), 1), 'bn', 'ss') $$;

-- Returns the words of an index: for each string, number, boolean and null at one of the paths, the tag of the path, the type,
-- and a code that sorts like the values. Numbers with the same first 10 digits may share a code, and so may strings with the same
-- first 32 bytes. A row or leaf with too many words has the word x instead, which every search looks for. With the default cost,
-- the planner prefers to scan small tables, although that takes longer.
CREATE OR REPLACE FUNCTION pgtoaster.path_terms(value jsonb, tags text, paths jsonpath[]) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  terms text[];
BEGIN
  SELECT array_agg(x.tag || CASE
           -- In IEEE 754, positive numbers sort like their bits, negative ones in reverse.
           WHEN x.hex < '8' COLLATE "C" THEN 'n' || translate(left(x.hex, 1), '01234567', '89abcdef') || rtrim(substr(x.hex, 2, 11), '0')
           WHEN x.hex IS NOT NULL THEN 'n' || translate(left(x.hex, 12), '0123456789abcdef', 'fedcba9876543210')
           WHEN x.type = 'string' THEN 's' || left(encode(convert_to(left(x.v #>> '{}', 32), 'UTF8'), 'hex'), 64)
           WHEN x.type = 'boolean' THEN 'b' || (x.v = 'true')::integer
           ELSE 'z' END)
    INTO terms
  FROM (SELECT p.tag, v.v, t.type,
               encode(float8send(CASE WHEN t.n > 1e300 THEN 1e300 WHEN t.n < -1e300 THEN -1e300
                                      WHEN abs(t.n) < 1e-300 THEN 0 ELSE t.n END::double precision), 'hex') AS hex
        FROM (SELECT substr(tags, 2 * p.n::integer - 1, 1) AS tag, p.path FROM unnest(paths) WITH ORDINALITY p(path, n)
              WHERE substr(tags, 2 * p.n::integer, 1) = pgtoaster.path_kind(value)) p
        CROSS JOIN LATERAL jsonb_path_query(value, p.path) v(v)
        CROSS JOIN LATERAL (SELECT jsonb_typeof(v.v) AS type, CASE jsonb_typeof(v.v) WHEN 'number' THEN v.v::numeric END AS n OFFSET 0) t
        WHERE t.type NOT IN ('object', 'array') OFFSET 0) x;
  IF cardinality(terms) > 10000 THEN
    RETURN array_to_tsvector('{x}');
  END IF;
  RETURN array_to_tsvector(coalesce(terms, '{}'));
END $$;

-- Returns a query for the words from low to high. It finds some others, too: it uses only four digits after the common prefix.
CREATE OR REPLACE FUNCTION pgtoaster.path_query(low text, high text) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- The last one is above all digits: the end of a range without an upper bound.
  digits CONSTANT text := '0123456789abcdefg';
  prefixes CONSTANT text := E'\\&:*|';
  parts text := 'x|' || low;
  same integer := 0;
  above integer;
  below integer;
BEGIN
  IF low = high THEN
    RETURN parts::tsquery;
  END IF;
  WHILE same < length(low) AND substr(low, same + 1, 1) = substr(high, same + 1, 1) LOOP
    same := same + 1;
  END LOOP;
  -- Words above low, by the first digit that differs, then those that begin like low.
  FOR i IN same + 1 .. least(same + 4, length(low)) LOOP
    above := strpos(digits, substr(low, i, 1));
    below := CASE WHEN i = same + 1 THEN strpos(digits, substr(high, i, 1)) ELSE 17 END;
    parts := concat(regexp_replace(substr(digits, above + 1, below - above - 1), '.', left(low, i - 1) || prefixes, 'g'), parts);
  END LOOP;
  IF length(low) > same THEN
    parts := concat(parts, '|', left(low, same + 4), ':*');
  END IF;
  -- Words below high, the words that are prefixes of high, then those that begin like high.
  FOR i IN same + CASE WHEN length(low) > same THEN 2 ELSE 1 END .. least(same + 4, length(high)) LOOP
    below := strpos(digits, substr(high, i, 1));
    parts := concat(regexp_replace(left(digits, below - 1), '.', left(high, i - 1) || prefixes, 'g'), left(high, i - 1), '|', parts);
  END LOOP;
  RETURN concat(parts, '|', left(high, same + 4), ':*')::tsquery;
END $$;

-- Returns for each condition on a path what the statement "many" needs. ranges: {"path": .., ">=": .., "<": ..}, or an array of such
-- objects; without a bound, all strings, numbers, booleans and nulls. terms: the query for the index; low and high: its first and last
-- word or, for a side without a bound, a text that sorts before or after all words. ends: jsonpaths for each end of the path, the
-- first one for a row, which return the values in the range; vars: their variables. kinds: the kind of a leaf with each end.
-- places: where a row has the number of the branch with such leaves; NULL if the path leads through an array. ahead and behind: the
-- text before and after a value in the probe that contains it at each end. top: the keys at the start of the path; the other
-- columns are the jsonpath and the texts for the value at these keys.
CREATE OR REPLACE FUNCTION pgtoaster.search_ranges(paths text[], ranges jsonb)
RETURNS TABLE (condition text, terms tsquery, low text, high text, ends jsonpath[], kinds text[], places text[], ahead text[],
  behind text[], vars jsonb, top text[], top_path jsonpath, top_ahead text, top_behind text)
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 1 SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r record;
  path text;
  steps text[];
  filter text;
  lowest jsonb;
  highest jsonb;
  type text;
  tag text;
  codes text[];
BEGIN
  FOR r IN SELECT e.range, e.n
           FROM jsonb_array_elements(CASE jsonb_typeof(ranges) WHEN 'array' THEN ranges ELSE jsonb_build_array(ranges) END)
                WITH ORDINALITY e(range, n) LOOP
    IF jsonb_typeof(r.range) <> 'object' OR r.range ->> 'path' IS NULL OR r.range - '{path,=,<,<=,>,>=}'::text[] <> '{}' THEN
      RAISE EXCEPTION '% is not a range', r.range USING ERRCODE = 'invalid_parameter_value',
        HINT = 'For example {"path": "variants[*].price", ">=": 10, "<": 20}. The operators are =, <, <=, > and >=.';
    END IF;
    steps := pgtoaster.path_steps(r.range ->> 'path');
    path := pgtoaster.path_name(steps);
    IF path <> ALL (paths) THEN
      RAISE EXCEPTION 'there is no path index for "%"', path USING ERRCODE = 'object_not_in_prerequisite_state',
        HINT = format('SELECT pgtoaster.create_index(table, column, ''path'', ''{"paths": [%s]}'').', to_jsonb(path));
    END IF;
    lowest := coalesce(r.range -> '=', r.range -> '>=', r.range -> '>');
    highest := coalesce(r.range -> '=', r.range -> '<=', r.range -> '<');
    type := jsonb_typeof(coalesce(lowest, highest));
    IF type IN ('object', 'array') OR type <> jsonb_typeof(coalesce(highest, lowest))
       OR (CASE WHEN r.range ? '=' THEN r.range ?| '{<,<=,>,>=}'
                ELSE type IN ('boolean', 'null') OR r.range ?& '{<,<=}' OR r.range ?& '{>,>=}' END) THEN
      RAISE EXCEPTION '% has no usable bounds', r.range USING ERRCODE = 'invalid_parameter_value',
        HINT = 'Give =, or one or two bounds: numbers or strings, both of the same type. true, false and null are only for =.';
    END IF;
    tag := chr(96 + array_position(paths, path));
    codes := tsvector_to_array(
      pgtoaster.path_terms(jsonb_build_array(coalesce(lowest, highest), coalesce(highest, lowest)), tag || 'a', '{$[*]}'));
    condition := 'r' || r.n;
    low := CASE WHEN type IS NULL THEN tag WHEN lowest IS NULL THEN left(codes[1], 2) ELSE codes[1] END;
    high := CASE WHEN type IS NULL THEN tag || 'zz' WHEN highest IS NULL THEN left(codes[1], 2) || 'g'
                 ELSE codes[cardinality(codes)] END;
    terms := CASE WHEN type IS NULL THEN (tag || ':*|x')::tsquery ELSE pgtoaster.path_query(low, high) END;
    filter := format(' ? (%s)', coalesce(nullif(concat_ws(' && ',
      CASE WHEN r.range ? '=' THEN '@ == $low' END,
      CASE WHEN r.range ? '>=' THEN '@ >= $low' WHEN r.range ? '>' THEN '@ > $low' END,
      CASE WHEN r.range ? '<=' THEN '@ <= $high' WHEN r.range ? '<' THEN '@ < $high' END), ''),
      '@.type() != "object" && @.type() != "array"'));
    SELECT array_agg((e.path::text || filter)::jsonpath ORDER BY e.n), array_agg(e.kind ORDER BY e.n) INTO ends, kinds
    FROM pgtoaster.path_ends(steps, true) e;
    vars := jsonb_build_object('low', lowest, 'high', highest);
    top := pgtoaster.path_top(steps);
    top_path := ('$[*]' || array_to_string(steps[cardinality(top) + 1:], '') || filter)::jsonpath;
    SELECT array_agg(x.ahead ORDER BY e.n), array_agg(x.behind ORDER BY e.n) INTO ahead, behind
    FROM generate_series(1, cardinality(steps) + 1) e(n)
    CROSS JOIN LATERAL (
      SELECT coalesce(string_agg(CASE s.s WHEN '[*]' THEN '[' ELSE '{' || substr(s.s, 2) || ':' END, '' ORDER BY s.n), '') AS ahead,
             coalesce(string_agg(CASE s.s WHEN '[*]' THEN ']' ELSE '}' END, '' ORDER BY s.n DESC), '') AS behind
      FROM unnest(steps) WITH ORDINALITY s(s, n) WHERE s.n >= e.n) x;
    top_ahead := '[' || ahead[cardinality(top) + 1];
    top_behind := behind[cardinality(top) + 1] || ']';
    places := ARRAY(SELECT CASE WHEN e.n = 1 THEN '{$pgtoaster,1}'
                                WHEN e.n <= cardinality(top) + 1 THEN array_append(top[:e.n - 1], '$pgtoaster')::text END
                    FROM generate_series(1, cardinality(steps) + 1) e(n) ORDER BY e.n);
    RETURN NEXT;
  END LOOP;
END $$;

-- Returns whether a value contains a value in a range. path, ahead and behind begin at an array with only the first value.
CREATE OR REPLACE FUNCTION pgtoaster.in_range(value jsonb, path jsonpath, vars jsonb, ahead text, behind text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  alone CONSTANT jsonb := jsonb_build_array(value);
BEGIN
  RETURN EXISTS (SELECT FROM jsonb_path_query(alone, path, vars) v(v)
                 WHERE jsonb_typeof(v.v) <> 'array' AND alone @> concat(ahead, v.v, behind)::jsonb);
END $$;
