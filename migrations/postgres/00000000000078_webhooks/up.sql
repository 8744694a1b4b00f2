-- Where an account wants to be told what became of its runs, and what is to be told there. The secret under which events are signed is made
-- of the pepper and the endpoint's id, so it lies nowhere.
CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  url text NOT NULL,
  created_at timestamptz NOT NULL,
  noted_until timestamptz NOT NULL
);
CREATE INDEX webhook_endpoints_of_user ON webhook_endpoints (user_id);
-- An event for an endpoint: once for each run, whoever notes it. It is due until it arrived or was given up.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  endpoint_id uuid NOT NULL REFERENCES webhook_endpoints (id),
  run_id uuid NOT NULL,
  event text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz,
  attempts integer NOT NULL,
  answered_at timestamptz,
  status integer,
  trouble text
);
CREATE UNIQUE INDEX webhook_deliveries_of_run ON webhook_deliveries (endpoint_id, run_id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
