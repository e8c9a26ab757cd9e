// Made by scripts/generate-migrations from migrations/*.sql; change those.

/// The catalog schema, one step a file of `migrations/`, by version.
enum Migrations {
  static let all: [Migration] = [
    Migration(
      version: 1, name: "V001__create_catalog.sql",
      schemaDigest: "c561a48a70e4dae3315374c45f61b37056f8af943d0dec09aa8f28a78b9fb881",
      sql: #"""
        -- A catalog: scenarios, their stubs and responses, and the bodies of the responses.
        -- The ids of scenarios and bodies are the first 63 bits of a SHA-256 of what names them; the rows of
        -- a scenario lie side by side in the order of its document. So the same content has the same rows
        -- whatever the history, and a scenario is read from neighbouring pages.
        -- JSON columns are NULL where they would say only defaults.
        -- The digests find what SQLite overlooks: a byte that changed in a value, a row that was lost.

        CREATE TABLE catalog (
          id INTEGER PRIMARY KEY CHECK (id = 1), -- the only row
          sha256 BLOB NOT NULL -- of the digests and names of the scenarios
        ) STRICT;

        CREATE TABLE scenario (
          id INTEGER PRIMARY KEY, -- of the name
          name TEXT NOT NULL UNIQUE,
          summary TEXT,
          tags TEXT NOT NULL, -- JSON list of strings, sorted
          stub_count INTEGER NOT NULL,
          stubs_sha256 BLOB NOT NULL, -- of the rows of its stubs and responses
          sha256 BLOB NOT NULL -- of the columns above and the includes
        ) STRICT;

        CREATE TABLE include (
          scenario_id INTEGER NOT NULL REFERENCES scenario (id),
          position INTEGER NOT NULL,
          name TEXT NOT NULL,
          PRIMARY KEY (scenario_id, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE stub (
          scenario_id INTEGER NOT NULL REFERENCES scenario (id),
          position INTEGER NOT NULL,
          key TEXT NOT NULL, -- unique in its scenario
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
          flow TEXT, -- JSON
          PRIMARY KEY (scenario_id, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE response (
          scenario_id INTEGER NOT NULL,
          stub_position INTEGER NOT NULL,
          position INTEGER NOT NULL,
          status INTEGER NOT NULL,
          headers TEXT, -- JSON
          body_kind TEXT, -- json, text or base64
          body_id INTEGER REFERENCES body (id),
          rest TEXT, -- JSON: timing, errors and all the rest
          PRIMARY KEY (scenario_id, stub_position, position),
          FOREIGN KEY (scenario_id, stub_position) REFERENCES stub (scenario_id, position)
        ) STRICT, WITHOUT ROWID;

        -- A table with rowids: SQLite keeps blobs far better in one.
        CREATE TABLE body (
          id INTEGER PRIMARY KEY, -- of the bytes
          sha256 BLOB NOT NULL,
          bytes BLOB NOT NULL
        ) STRICT;
        """#),
    Migration(
      version: 2, name: "V002__add_conflicts.sql",
      schemaDigest: "e65d7d52ca70f28066bd3ec842fbaa3e8eb86c9d68dc8294e51657c84f252f1b",
      sql: #"""
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
        """#),
    Migration(
      version: 3, name: "V003__add_stub_capture.sql",
      schemaDigest: "7632f5cac1c4d14fc7dacc23ff0bb14968ab164f4bf42e41b71080f78583d2db",
      sql: #"""
        -- What a stub keeps of the requests it answers.
        -- A new column is the last one, and counts in the digest of the rows only where it holds something: so
        -- the digests of catalogs that were written before stay right.

        ALTER TABLE stub ADD COLUMN capture TEXT; -- JSON
        """#),
    Migration(
      version: 4, name: "V004__add_stub_recorded.sql",
      schemaDigest: "2f4b1e4f4edf6997adcd7e1744932f263d52b36daad1715358445fd9f6fa9928",
      sql: #"""
        -- When and from where a stub was recorded; null for a stub that a person wrote.
        -- As every later column it is the last one, and part of the digest of the rows only where it is not null.

        ALTER TABLE stub ADD COLUMN recorded TEXT; -- JSON
        """#),
    Migration(
      version: 5, name: "V005__add_stub_resource.sql",
      schemaDigest: "24b708f8975ebb4c75c45e8836bedb9c2e847e53ac8b04ab1862e1c5e522ea0c",
      sql: #"""
        -- The rules of a collection of items that a stub lists, creates, changes and removes; null for every other stub.
        -- The items that a run begins with are the body of the stub's last response. Like every later column it is the last one.

        ALTER TABLE stub ADD COLUMN resource TEXT; -- JSON
        """#),
  ]
}
