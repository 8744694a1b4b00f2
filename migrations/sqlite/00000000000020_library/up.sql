-- Which run a skill was last made by, and as which of its skills: what it can be made of again. Empty for a copy of somebody else's.
ALTER TABLE skills ADD COLUMN origin_run BLOB;
ALTER TABLE skills ADD COLUMN origin_ordinal INTEGER;
UPDATE skills SET
  origin_run = (SELECT g.run_id FROM generations g WHERE g.skill_id = skills.id AND g.status = 'completed' ORDER BY g.completed_at DESC, g.id DESC LIMIT 1),
  origin_ordinal = (SELECT g.ordinal FROM generations g WHERE g.skill_id = skills.id AND g.status = 'completed' ORDER BY g.completed_at DESC, g.id DESC LIMIT 1);
CREATE INDEX skills_of_run ON skills (origin_run);
CREATE INDEX skills_by_category ON skills (user_id, category);

-- What a skill said before it was changed; a few of the last changes.
CREATE TABLE versions (
  skill_id BLOB NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
  made_at INTEGER NOT NULL,
  replaced_at INTEGER NOT NULL,
  replaced_by TEXT NOT NULL CHECK (replaced_by IN ('edit', 'regeneration')),
  word_count INTEGER NOT NULL,
  content TEXT NOT NULL,
  reference_files TEXT NOT NULL,
  PRIMARY KEY (skill_id, made_at)
) STRICT;

-- The files that a run reads: from the charge on until nothing needs them any more.
CREATE TABLE run_files (
  run_id BLOB NOT NULL,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  digest TEXT NOT NULL,
  source_id BLOB,
  PRIMARY KEY (run_id, ordinal)
) STRICT, WITHOUT ROWID;
INSERT INTO run_files (run_id, ordinal, digest, source_id)
  SELECT g.run_id, f.key, json_extract(f.value, '$.digest'), unhex(replace(json_extract(f.value, '$.source_id'), '-', ''))
  FROM generations g, json_each(g.ordered, '$.source.files') f
  WHERE g.ordinal = 0 AND g.source_type = 'file';
CREATE INDEX run_files_by_digest ON run_files (digest);
CREATE INDEX run_files_by_source ON run_files (source_id) WHERE source_id IS NOT NULL;

-- The blobs that there may be. A row is claimed before its bytes are written and removed after they are gone, so that no bytes are
-- there without a row; while it is being removed it cannot be claimed.
CREATE TABLE blobs (
  digest TEXT PRIMARY KEY NOT NULL,
  claimed_at INTEGER NOT NULL,
  removing_at INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO blobs (digest, claimed_at)
  SELECT digest, max(at) FROM (
    SELECT digest, created_at AS at FROM sources
    UNION ALL SELECT f.digest, g.created_at FROM run_files f JOIN generations g ON g.run_id = f.run_id AND g.ordinal = 0)
  GROUP BY digest;
CREATE INDEX blobs_claimed ON blobs (claimed_at);

DROP INDEX sources_waiting;
CREATE INDEX sources_living ON sources (created_at) WHERE status <> 'expired';
