-- A catalog: scenarios, their stubs and responses, and the bodies of the responses.
-- Ids are the first 63 bits of a SHA-256 of what names the row, so that the same content has the
-- same rows whatever the history. JSON columns are NULL where they would say only defaults.

CREATE TABLE scenario (
  id INTEGER PRIMARY KEY, -- of the name
  name TEXT NOT NULL UNIQUE,
  summary TEXT,
  tags TEXT NOT NULL -- JSON list of strings, sorted
) STRICT;

CREATE TABLE include (
  id INTEGER PRIMARY KEY, -- of the scenario's name and the included name
  scenario_id INTEGER NOT NULL REFERENCES scenario (id),
  position INTEGER NOT NULL,
  name TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX include_by_position ON include (scenario_id, position);

CREATE TABLE body (
  id INTEGER PRIMARY KEY, -- of the bytes
  sha256 BLOB NOT NULL,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE stub (
  id INTEGER PRIMARY KEY, -- of the scenario's name and the key
  scenario_id INTEGER NOT NULL REFERENCES scenario (id),
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  summary TEXT,
  priority INTEGER NOT NULL,
  required INTEGER NOT NULL,
  method TEXT, -- where there is exactly one
  scheme TEXT,
  host TEXT, -- where it is a literal
  port INTEGER,
  path TEXT, -- where it is a template
  pattern TEXT, -- JSON: the rest of the request pattern
  exhaustion TEXT NOT NULL, -- what the document calls "then"
  flow TEXT -- JSON
) STRICT;

CREATE UNIQUE INDEX stub_by_position ON stub (scenario_id, position);

CREATE TABLE response (
  id INTEGER PRIMARY KEY, -- of the scenario's name, the key and the position
  stub_id INTEGER NOT NULL REFERENCES stub (id),
  position INTEGER NOT NULL,
  status INTEGER NOT NULL,
  headers TEXT, -- JSON
  body_kind TEXT, -- json, text or base64
  body_id INTEGER REFERENCES body (id),
  rest TEXT -- JSON: timing, errors and all the rest
) STRICT;

CREATE UNIQUE INDEX response_by_position ON response (stub_id, position);
