-- The rules of a collection of items that a stub lists, creates, changes and removes; null for every other stub.
-- The items that a run begins with are the body of the stub's last response. Like every later column it is the last one.

ALTER TABLE stub ADD COLUMN resource TEXT; -- JSON
