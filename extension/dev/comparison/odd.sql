-- Cases that random statements do not produce. Each paragraph is a transaction.

SELECT tableoid::regclass, doc FROM part_low;
SELECT tableoid::regclass, doc->'a' FROM ONLY part;
UPDATE part SET id = id + 3 WHERE id IN (2, 3, 4) AND id + 3 > 7;
UPDATE part SET id = 20, doc = jsonb_set(doc, '{new}', '{"x": [1]}') WHERE id = 3;
SELECT id, doc, doc->'new'->'x'->0 FROM part;
DELETE FROM part_high WHERE doc ? 'list' RETURNING doc->'list'->1;

DECLARE c CURSOR FOR SELECT * FROM person ORDER BY id FOR UPDATE;
FETCH 3 FROM c;
UPDATE person SET doc = jsonb_set(doc, '{a}', '"changed"') WHERE CURRENT OF c RETURNING doc->'a';
FETCH 1 FROM c;
DELETE FROM person WHERE CURRENT OF c RETURNING doc->'kind';
SELECT id, doc FROM person;

DECLARE c SCROLL CURSOR FOR SELECT id, doc->'a', doc FROM person ORDER BY id;
FETCH 2 FROM c;
UPDATE person SET doc = doc - 'a' WHERE jsonb_typeof(doc) = 'object';
DELETE FROM person WHERE id = 3;
FETCH ALL FROM c;
FETCH BACKWARD 4 FROM c;

CREATE TABLE copied AS SELECT * FROM person;
SELECT id, doc FROM copied;
CREATE TEMP TABLE taken AS SELECT id, doc->'list' AS list, p AS whole FROM person p;
SELECT * FROM taken;
SELECT doc->'a' AS a INTO TEMP others FROM thing;
SELECT * FROM others;
CREATE MATERIALIZED VIEW kept AS SELECT id, doc, doc->>'kind' AS kind FROM part;
SELECT * FROM kept;

COPY (SELECT id, doc FROM person ORDER BY id) TO STDOUT;
COPY (SELECT p FROM person p ORDER BY id) TO STDOUT;
COPY (UPDATE person SET doc = doc || '{"z": 1}' WHERE id < 3 RETURNING id, doc) TO STDOUT;

DO $$ DECLARE r record; total text := ''; BEGIN FOR r IN SELECT * FROM person ORDER BY id LOOP total := total || coalesce(r.doc->>'kind', '-') || length(coalesce(r.doc::text, '')); END LOOP; RAISE EXCEPTION '%', total; END $$;
DO $$ DECLARE d jsonb; p person; total text := ''; BEGIN FOR i IN 0..9 LOOP SELECT doc INTO d FROM person WHERE id = i; SELECT * INTO p FROM person WHERE id = i; UPDATE person SET doc = jsonb_set(doc, '{i}', to_jsonb(i)) WHERE id = i AND jsonb_typeof(doc) = 'object' RETURNING doc INTO d; total := total || coalesce(md5(d::text), '-') || md5(p::text); END LOOP; RAISE EXCEPTION '%', total; END $$;
DO $$ DECLARE total text := ''; d jsonb; BEGIN FOR i IN 0..9 LOOP EXECUTE 'SELECT doc #> $1 FROM person WHERE id = $2' INTO d USING '{list,0}'::text[], i; total := total || coalesce(d::text, '-'); END LOOP; RAISE EXCEPTION '%', total; END $$;

SELECT DISTINCT ON (doc->>'kind') doc->>'kind', id, doc FROM person ORDER BY doc->>'kind', id;
SELECT doc->>'kind', count(*), grouping(doc->>'kind'), jsonb_agg(doc->'n' ORDER BY id) FROM person GROUP BY GROUPING SETS ((doc->>'kind'), (), (n)) ORDER BY 1, 2, 3, 4;
SELECT doc, count(*) FROM person GROUP BY CUBE (doc, n) ORDER BY 1, 2;
WITH RECURSIVE walk AS (SELECT id, doc AS d, 0 AS depth FROM person UNION ALL SELECT id, d->'deep', depth + 1 FROM walk WHERE d->'deep' IS NOT NULL) SELECT id, depth, d FROM walk ORDER BY 1, 2;
WITH RECURSIVE walk(id, path, value) AS (SELECT id, ARRAY[]::text[], doc FROM person WHERE id IN (0, 3) UNION ALL SELECT w.id, w.path || e.key, e.value FROM walk w, jsonb_each(CASE jsonb_typeof(w.value) WHEN 'object' THEN w.value END) e) SELECT * FROM walk ORDER BY 1, 2;
SELECT p.id, q.id FROM person p JOIN part q ON p.doc->>'kind' = q.doc->>'kind' AND p.doc @> jsonb_build_object('n', q.doc->'n') ORDER BY 1, 2;
SELECT p.id, l.key, l.n FROM person p LEFT JOIN LATERAL (SELECT e.key, count(*) OVER () AS n FROM jsonb_each(CASE jsonb_typeof(p.doc) WHEN 'object' THEN p.doc END) e WHERE p.doc ? 'a') l ON l.n > 2 ORDER BY 1, 2;
SELECT id, (SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(CASE jsonb_typeof(doc) WHEN 'object' THEN doc END) k) FROM thing, LATERAL (SELECT k AS id) x ORDER BY k, region;
SELECT * FROM person p NATURAL JOIN person q ORDER BY id;
SELECT * FROM person p JOIN person q USING (doc) ORDER BY p.id, q.id;
SELECT * FROM (person p CROSS JOIN LATERAL (SELECT p.doc->'a' AS a) s) AS j(i, m, w, d, x) ORDER BY i;
SELECT count(*), count(doc), count(p), count(DISTINCT p), count(DISTINCT p.doc) FROM person p;
SELECT p = q, p IS DISTINCT FROM q, p.doc = q.doc FROM person p, part q WHERE p.id = q.id ORDER BY p.id;
SELECT (p).doc->'a', (p).*, row(p.*, 1), p IS NULL, p.* IS NOT NULL FROM person p ORDER BY p.id;
SELECT jsonb_populate_record(p, '{"n": 77}') FROM person p ORDER BY id;
SELECT (jsonb_populate_record(NULL::person, to_jsonb(p))).doc FROM person p ORDER BY id;
SELECT person.kind_of, person.length_of FROM person ORDER BY id;
SELECT length_of(a) FROM all_of(3) a ORDER BY a.id;
SELECT found(id), looked(id) FROM person ORDER BY id;
SELECT array_agg(p ORDER BY id) FROM person p;
SELECT (array_agg(doc ORDER BY id))[4]->'a' FROM person;
SELECT unnest(ARRAY[doc, doc->'a']) FROM person ORDER BY id;
SELECT id, jsonb_array_elements(CASE jsonb_typeof(doc) WHEN 'array' THEN doc ELSE doc->'list' END)->'title', generate_series(1, 2) FROM pinned WHERE jsonb_typeof(doc) = 'array' OR doc ? 'list';
SELECT * FROM person WHERE doc IN (SELECT doc FROM part) ORDER BY id;
SELECT * FROM person WHERE (doc, id) = ANY (SELECT doc, id FROM person WHERE doc->>'kind' = 'x') ORDER BY id;
SELECT id FROM person p WHERE NOT EXISTS (SELECT FROM thing t WHERE t.doc->>'kind' = p.doc->>'kind' AND t.k = p.n) ORDER BY id;
VALUES ((SELECT doc FROM person WHERE id = 0)), ((SELECT doc->'a' FROM person WHERE id = 1));
TABLE person;
TABLE seen;
SELECT doc FROM person ORDER BY doc->'n' FETCH FIRST 3 ROWS WITH TIES;
SELECT doc->'a' FROM person UNION ALL SELECT doc->'a' FROM part UNION SELECT doc FROM thing WHERE k = 0;
SELECT doc FROM person INTERSECT ALL SELECT doc FROM person WHERE doc ? 'a';
SELECT p.doc->'a' FROM person p TABLESAMPLE SYSTEM (100) ORDER BY id;
SELECT string_agg(doc->>'name', ',' ORDER BY doc->>'name' DESC NULLS LAST) FILTER (WHERE doc->>'kind' = 'x') FROM person;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY doc) FROM person;
SELECT id, lag(doc->'a', 1, doc) OVER (PARTITION BY doc->>'kind' ORDER BY id) FROM person ORDER BY id;
SELECT sum(n) OVER (ORDER BY doc->'n', id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM person ORDER BY id;
SELECT doc->'a' COLLATE "C" FROM person;
SELECT (doc->>'name') COLLATE "C" < 'Nn' FROM person ORDER BY id;
SELECT id FROM person ORDER BY doc->>'name' COLLATE "C" DESC, id;
SELECT id FROM person WHERE doc->>'name' LIKE 'Nn%' OR doc->>'name' ~ '^Nnnn' ORDER BY id;
SELECT id FROM pinned WHERE doc->>'kind' = 'x' ORDER BY id;
SELECT id FROM pinned WHERE doc->'a'->>'x' IS NOT NULL AND id < 5 ORDER BY id;
SELECT doc['a']['b']['list'][0], doc['list'][-1]['tags'], doc['nums'][1] FROM person ORDER BY id;

PREPARE one(text, int, bigint) AS SELECT doc->$1->$2, doc#>ARRAY[$1, $2::text], doc[$1][$2] FROM person WHERE id = $3;
EXECUTE one('list', 0, 1);
EXECUTE one('nums', 3, 2);
EXECUTE one(NULL, 3, 2);
SET LOCAL plan_cache_mode = force_generic_plan;
EXECUTE one('list', 1, 3);
EXECUTE one('list', NULL, 3);
PREPARE two(jsonb, text[], bigint) AS UPDATE person SET doc = jsonb_set(doc, $2, $1) WHERE id = $3 AND jsonb_typeof(doc) = 'object' RETURNING doc;
EXECUTE two('[1, 2]', '{a}', 0);
EXECUTE two('{"k": 1}', '{a,1}', 0);
EXECUTE two(NULL, '{a}', 1);
EXECUTE two('1', NULL, 2);
EXECUTE two('1', '{}', 3);

UPDATE person SET doc = jsonb_set(doc, '{list,0,title}', '"N"') WHERE jsonb_typeof(doc->'list'->0) = 'object' RETURNING doc->'list'->0->'title';
UPDATE person SET doc['list'][0]['year'] = '5', doc['fresh'] = '{"a": [1]}' WHERE jsonb_typeof(doc) = 'object' RETURNING doc->'list'->0, doc->'fresh';
UPDATE person SET doc['fresh']['a'][3]['x'] = '9' WHERE jsonb_typeof(doc) = 'object' RETURNING doc->'fresh';
UPDATE person SET doc = doc - 'fresh' - '{list,nums}'::text[] #- '{a,b}' WHERE jsonb_typeof(doc) = 'object' RETURNING doc;
UPDATE person SET doc = (doc - 'kind') || jsonb_build_object('again', doc->'kind', 'whole', doc) WHERE id < 3 RETURNING doc;
UPDATE person SET doc = doc || doc WHERE id < 7 RETURNING doc;
UPDATE person SET doc = '{"k": 1}' || doc WHERE id < 3 RETURNING doc;
UPDATE person p SET doc = jsonb_set(p.doc, '{from}', q.doc) FROM person q WHERE q.id = p.id + 1 AND jsonb_typeof(p.doc) = 'object' RETURNING p.id, p.doc, q.doc;
UPDATE person p SET doc = q.doc, t = q.doc->>'kind' FROM thing q WHERE q.k = p.id AND q.region = 'north' RETURNING p.doc, q.doc;
UPDATE person SET (doc, n) = (SELECT jsonb_set(s.doc, '{s}', person.doc), 5 FROM side s WHERE s.id = person.id AND jsonb_typeof(s.doc) = 'object') RETURNING doc;
UPDATE person SET (t, doc) = ROW (doc->>'kind', jsonb_set(doc, '{n}', '3')) WHERE jsonb_typeof(doc) = 'object' RETURNING *;
UPDATE person SET doc = coalesce(doc, '{}') || '{"c": 1}' WHERE id = 4 RETURNING *;
UPDATE person SET doc = NULL WHERE id = 0 RETURNING *;
UPDATE person SET doc = jsonb_set(coalesce(doc, '{}'), '{x}', '1') WHERE id = 0 RETURNING *;
UPDATE person SET doc = (SELECT doc FROM person q WHERE q.id = 1) WHERE id = 0 RETURNING *;

INSERT INTO person SELECT id + 50, n, t, doc FROM person RETURNING id, doc;
INSERT INTO person (id, doc) SELECT 90 + k, doc->'list' FROM thing WHERE region = 'south' RETURNING *;
INSERT INTO side SELECT id + 50, n, t, doc FROM person RETURNING *;
INSERT INTO person VALUES (1, 2, 'z', '{"new": true}'), (77, 2, 'z', '{"new": true}') ON CONFLICT (id) DO UPDATE SET doc = jsonb_set(person.doc, '{excluded}', excluded.doc), t = person.doc->>'kind' WHERE person.doc ? 'a' OR excluded.doc ? 'new' RETURNING *;
INSERT INTO person SELECT id, n, t, doc FROM side ON CONFLICT (id) DO UPDATE SET doc = excluded.doc || coalesce(person.doc, '{}'), n = length(person.doc::text) RETURNING id, doc;
DELETE FROM person USING part WHERE part.id = person.id AND part.doc->>'kind' = person.doc->>'kind' RETURNING person.doc, part.doc->'a';
WITH gone AS (DELETE FROM person WHERE id < 4 RETURNING *) INSERT INTO side SELECT id + 200, n, t, doc FROM gone RETURNING *;
WITH gone AS (DELETE FROM thing WHERE k < 2 RETURNING *), more AS (UPDATE part SET doc = doc || '{"m": 1}' WHERE id < 3 RETURNING *) SELECT gone.doc->'a', more.doc->'m', more.doc FROM gone, more;

MERGE INTO person p USING side s ON p.id = s.id WHEN MATCHED AND p.doc->>'kind' = 'x' THEN UPDATE SET doc = jsonb_set(p.doc, '{merged}', s.doc) WHEN MATCHED AND p.doc->>'kind' = 'y' THEN DELETE WHEN MATCHED THEN UPDATE SET doc = s.doc WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.n, s.t, s.doc);
SELECT * FROM person;
MERGE INTO part p USING thing s ON p.id = s.k AND s.region = 'south' WHEN MATCHED THEN UPDATE SET doc = p.doc || jsonb_build_object('from', s.doc->'a') WHEN NOT MATCHED THEN INSERT (id, doc) VALUES (s.k + 30, s.doc);
SELECT * FROM part;

INSERT INTO kinds VALUES (300, 1, 'c', '{"kind": "y"}');
INSERT INTO kinds VALUES (300, 1, 'c', '{"kind": "x"}');
UPDATE kinds SET doc = jsonb_set(doc, '{kind}', '"y"') WHERE id = 300;
UPDATE kinds SET doc['kind'] = '"z"' WHERE jsonb_typeof(doc) = 'object' RETURNING doc->'kind';
UPDATE kinds SET doc = doc - 'kind' || '{"kind": "y"}' WHERE jsonb_typeof(doc) = 'object';
UPDATE safe SET doc = jsonb_set(doc, '{a}', '5') WHERE doc->'a' ? 'b' RETURNING doc;
DELETE FROM kinds WHERE doc->>'kind' = 'z' RETURNING doc;

SET LOCAL ROLE pgt_compare;
SELECT id, doc, doc->'a' FROM hidden;
SELECT count(*) FROM hidden h, LATERAL jsonb_each(CASE jsonb_typeof(h.doc) WHEN 'object' THEN h.doc END);
UPDATE hidden SET doc = jsonb_set(doc, '{a}', '1') WHERE jsonb_typeof(doc) = 'object' RETURNING id, doc;
UPDATE hidden SET doc = doc || '{"z": [1]}', n = 8 WHERE jsonb_typeof(doc) = 'object' RETURNING id, doc;
DELETE FROM hidden WHERE doc ? 'z' RETURNING doc;
INSERT INTO hidden SELECT id + 100, 1, t, doc FROM person RETURNING doc;
INSERT INTO hidden SELECT id + 200, 2000, t, doc FROM person;

SELECT id, doc FROM person WHERE id < 3 FOR UPDATE;
SELECT p.doc, q.doc FROM person p LEFT JOIN part q ON q.id = p.id + 5 ORDER BY p.id FOR UPDATE OF p;
SELECT doc->'a' FROM (SELECT * FROM person FOR SHARE) s;
UPDATE person SET doc = jsonb_set(doc, '{a}', '2') WHERE id IN (SELECT id FROM person WHERE jsonb_typeof(doc) = 'object' ORDER BY id LIMIT 2 FOR UPDATE) RETURNING id, doc->'a';

CREATE VIEW mine AS SELECT id, doc, doc->'list'->0 AS first, p AS whole FROM person p WHERE doc ? 'a';
SELECT first, doc->'a', (whole).doc->'kind' FROM mine ORDER BY id;
CREATE FUNCTION taken(d jsonb) RETURNS text LANGUAGE sql RETURN md5(d::text) || (d->>'kind');
SELECT taken(doc), taken(doc->'a') FROM person ORDER BY id;
CREATE FUNCTION many() RETURNS TABLE (i bigint, d jsonb) LANGUAGE sql AS $$ SELECT id, doc FROM person WHERE doc ? 'list' $$;
SELECT i, d->'list'->0 FROM many() ORDER BY i;
CREATE RULE noted AS ON UPDATE TO side DO ALSO UPDATE person SET doc = jsonb_set(doc, '{rule}', NEW.doc) WHERE id = NEW.id AND jsonb_typeof(doc) = 'object';
UPDATE side SET doc = '{"r": 1}' WHERE id < 3;
SELECT id, doc->'rule', doc FROM person ORDER BY id;

SET LOCAL ROLE pgt_compare;
SELECT doc->'a' FROM person ORDER BY id;
RESET ROLE;
REVOKE ALL ON person FROM pgt_compare;
GRANT SELECT (id, n) ON person TO pgt_compare;
SET LOCAL ROLE pgt_compare;
SELECT id, n FROM person ORDER BY id;
SELECT doc->'a' FROM person ORDER BY id;
SELECT p FROM person p;
UPDATE person SET n = 1 WHERE id = 2;
UPDATE person SET doc = jsonb_set(doc, '{a}', '1') WHERE id = 2;

CREATE FUNCTION skips() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN CASE WHEN OLD.id % 2 = 0 THEN NEW END; END $$;
CREATE TRIGGER zz BEFORE UPDATE ON person FOR EACH ROW EXECUTE FUNCTION skips();
UPDATE person SET doc = jsonb_set(jsonb_set(doc, '{list,0}', '1'), '{a}', '2') WHERE jsonb_typeof(doc) = 'object' RETURNING id, doc;
UPDATE person SET doc = doc || '{"a": 3, "list": 4}' WHERE jsonb_typeof(doc) = 'object' RETURNING id, doc;
SELECT id, doc FROM person;

CREATE FUNCTION looks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.t := NEW.doc->>'kind'; NEW.doc := NEW.doc || '{"seen": true}'; RETURN NEW; END $$;
CREATE TRIGGER looks BEFORE UPDATE ON pinned FOR EACH ROW WHEN (jsonb_typeof(NEW.doc) = 'object' AND NEW.doc IS DISTINCT FROM OLD.doc) EXECUTE FUNCTION looks();
UPDATE pinned SET doc = jsonb_set(jsonb_set(doc, '{list,0}', '1'), '{kind}', '"q"') WHERE doc ? 'kind' RETURNING id, t, doc;
UPDATE pinned SET doc = doc || '{"kind": "r", "list": [{"title": "T"}]}' WHERE doc ? 'kind' RETURNING id, t, doc;
UPDATE pinned SET doc = jsonb_set(doc, '{a,x}', '"deep"') #- '{list,0}' WHERE doc ? 'kind' RETURNING id, t, doc;
SELECT id, t, doc FROM pinned;

UPDATE pinned SET doc = doc - 'kind' WHERE jsonb_typeof(doc) = 'object';
UPDATE pinned SET doc['kind'] = '"k"' WHERE jsonb_typeof(doc) = 'object' RETURNING doc->'kind';
SELECT id, doc->'kind', doc->>'kind' FROM pinned ORDER BY id;
SELECT id FROM pinned WHERE doc->>'kind' = 'k' ORDER BY id;

SELECT id, CASE WHEN jsonb_typeof(q.c0 #> '{a}') = 'object' THEN jsonb_set(q.c0, '{a,x}', '1') ELSE q.c0 END FROM (SELECT id, coalesce('2.50'::jsonb, doc) AS c0 FROM person) q ORDER BY id;

UPDATE person SET doc = jsonb_set(jsonb_set(doc || '1', '{kind}', '1'), '{kind}', (doc -> NULL::text) -> 'kind') WHERE id = 0 RETURNING id, doc;
UPDATE person SET doc = jsonb_insert(doc || '1', '{kind}', NULL) #- '{0,kind}' WHERE id = 1 RETURNING id, doc;
UPDATE person SET doc = (doc || '1') #- '{kind}' #- NULL WHERE id = 2 RETURNING id, doc;
UPDATE person p SET doc = jsonb_set((p.doc || '1') #- '{kind}', '{kind}', p.doc -> q.step) FROM (SELECT NULL::text AS step) q WHERE id = 3 RETURNING id, doc;
UPDATE person p SET doc = jsonb_insert((p.doc || '1') #- '{kind}', '{kind}', q.value) FROM (SELECT NULL::jsonb AS value) q WHERE id = 8 RETURNING id, doc;
SELECT id, doc FROM person;

SET LOCAL plan_cache_mode = force_custom_plan;
PREPARE none(text, text[]) AS UPDATE person SET doc = jsonb_set((doc || '1') #- '{kind}', $2, doc -> $1 -> 'kind') WHERE id = 0 RETURNING id, doc;
EXECUTE none(NULL, '{a}');
EXECUTE none('a', NULL);
EXECUTE none('a', '{a}');
PREPARE never(text) AS SELECT id, CASE WHEN doc -> $1 ? 'x' THEN jsonb_set('2', '{a}', '1') WHEN jsonb_typeof(doc -> 'a' -> $1) = 'object' THEN jsonb_set('2', '{a}', '1') WHEN a ->> $1 = 'x' THEN jsonb_set('2', '{a}', '1') END FROM seen WHERE id < 3 ORDER BY id;
EXECUTE never(NULL);

UPDATE person SET doc = doc || '{"$pgtoaster": [1, 2]}', n = 1 WHERE id IN (1, 2) RETURNING id, doc;
UPDATE person SET doc = (doc || '{"name": 1}') || '1' WHERE id = 1 RETURNING id, doc;
UPDATE person SET doc = jsonb_insert(doc #- '{kind}', '{kind}', '{"x": 1}') || '[2]' WHERE id = 2 RETURNING id, doc;

UPDATE person SET doc = jsonb_insert(coalesce(doc - NULL::text, '{}') || '1', '{kind}', '1') WHERE false;
UPDATE person SET doc = jsonb_insert(coalesce(doc - NULL::varchar, '{}') || '1', '{kind}', '1') WHERE false;
UPDATE person SET doc = jsonb_set(coalesce(doc #- NULL, '{"a": {}, "b": 1}') - 'b' - '{c}'::text[], '{a,x}', '1') WHERE id = 1 RETURNING id, doc;
UPDATE person SET doc = jsonb_set(CASE WHEN n > 0 THEN doc - NULL::text ELSE doc END, '{kind}', '"c"') WHERE id < 4 RETURNING id, doc;
INSERT INTO person (id, doc) VALUES (1, '{}') ON CONFLICT (id) DO UPDATE SET doc = jsonb_set(coalesce(person.doc - NULL::text, '{"z": 1}') || '{"y": 2}', '{x}', '3') RETURNING id, doc;
MERGE INTO person USING (SELECT 2 AS id) m ON person.id = m.id WHEN MATCHED THEN UPDATE SET doc = coalesce(doc - NULL::text, doc) - 'kind';
SELECT id, doc FROM person ORDER BY id;

SET LOCAL plan_cache_mode = force_custom_plan;
PREPARE folded(text) AS UPDATE person SET doc = jsonb_insert(coalesce(doc - $1, '{}') || '1', '{kind}', '1') WHERE false;
EXECUTE folded('a');
EXECUTE folded(NULL);
