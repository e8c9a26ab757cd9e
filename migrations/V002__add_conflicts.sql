-- Places that both sides of a merge changed in two ways, until a person has settled them.
-- The scenario holds one of the versions; here are all three, as canonical JSON, NULL where that
-- side has nothing at the place. The catalog's digest covers these rows.

CREATE TABLE conflict (
  scenario TEXT NOT NULL,
  key TEXT NOT NULL, -- of the stub; empty for the scenario itself
  pointer TEXT NOT NULL, -- JSON pointer in the stub or the scenario
  base TEXT,
  ours TEXT,
  theirs TEXT,
  PRIMARY KEY (scenario, key, pointer)
) STRICT, WITHOUT ROWID;
