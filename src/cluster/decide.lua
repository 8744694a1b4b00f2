
-- A window; ARGV[2], ARGV[3]: most admissions, "admit" | "look".
-- Answers now, whether the request was admitted, how many count, and the oldest of them.
local oldest = redis.call('LINDEX', key, 0)
while oldest and oldest + 0 <= now - kept do
  redis.call('LPOP', key)
  oldest = redis.call('LINDEX', key, 0)
end

local inside, admitted = redis.call('LLEN', key), 0
if ARGV[3] == 'admit' and inside < tonumber(ARGV[2]) then
  redis.call('RPUSH', key, digits(now))
  keep()
  inside, admitted = inside + 1, 1
end
return { digits(now), admitted, inside, redis.call('LINDEX', key, 0) or digits(now) }
