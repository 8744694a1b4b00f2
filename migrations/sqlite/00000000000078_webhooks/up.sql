-- Where an account wants to be told what became of its runs, and what is to be told there. The secret under which events are signed is made
-- of the pepper and the endpoint's id, so it lies nowhere.
CREATE TABLE webhook_endpoints (
  id BLOB PRIMARY KEY NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  url TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  noted_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_endpoints_of_user ON webhook_endpoints (user_id);
-- An event for an endpoint: once for each run, whoever notes it. It is due until it arrived or was given up.
CREATE TABLE webhook_deliveries (
  id BLOB PRIMARY KEY NOT NULL,
  endpoint_id BLOB NOT NULL REFERENCES webhook_endpoints (id),
  run_id BLOB NOT NULL,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER,
  attempts INTEGER NOT NULL,
  answered_at INTEGER,
  status INTEGER,
  trouble TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX webhook_deliveries_of_run ON webhook_deliveries (endpoint_id, run_id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
