-- When and from where a stub was recorded; null for a stub that a person wrote.
-- As every later column it is the last one, and part of the digest of the rows only where it is not null.

ALTER TABLE stub ADD COLUMN recorded TEXT; -- JSON
