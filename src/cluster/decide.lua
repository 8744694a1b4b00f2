-- One window: a list of the instants at which requests were admitted, oldest first, in microseconds by this server's clock.
-- KEYS[1] the window; ARGV: most admissions, length of the window, "admit" | "look" | "take_back", the instant taken back.
-- Answers now, whether the request was admitted, how many count, and the oldest of them.
local key, limit, length = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function digits(micros) return string.format('%.0f', micros) end

-- The clock was set back: the last admission counts as one of now, so that the window neither opens early nor stays shut.
local ahead = (redis.call('LINDEX', key, -1) or now) - now
if ahead > 0 then
  for place, at in ipairs(redis.call('LRANGE', key, 0, -1)) do
    redis.call('LSET', key, place - 1, digits(at - ahead))
  end
  redis.call('PEXPIRE', key, digits(length / 1000))
end

local oldest = redis.call('LINDEX', key, 0)
while oldest and oldest + 0 <= now - length do
  redis.call('LPOP', key)
  oldest = redis.call('LINDEX', key, 0)
end

if ARGV[3] == 'take_back' then
  redis.call('LREM', key, -1, ARGV[4])
end
local inside, admitted = redis.call('LLEN', key), 0
if ARGV[3] == 'admit' and inside < limit then
  redis.call('RPUSH', key, digits(now))
  redis.call('PEXPIRE', key, digits(length / 1000))
  inside, admitted = inside + 1, 1
end
return { digits(now), admitted, inside, redis.call('LINDEX', key, 0) or digits(now) }
