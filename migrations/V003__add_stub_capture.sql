-- What a stub keeps of the requests it answers.
-- A new column is the last one, and counts in the digest of the rows only where it holds something: so
-- the digests of catalogs that were written before stay right.

ALTER TABLE stub ADD COLUMN capture TEXT; -- JSON
