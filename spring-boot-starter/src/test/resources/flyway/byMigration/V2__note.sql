CREATE TABLE note (id int PRIMARY KEY, text bigint);
SELECT pgtoaster.attach('note', 'text', 'appendable');
INSERT INTO note VALUES (1);
