-- A log: a list of the instants that count, oldest first, in microseconds by this server's clock; it goes when nothing of it can count.
-- KEYS[1] the log; ARGV[1] for how long an instant can count.
local key, kept = KEYS[1], tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function digits(micros) return string.format('%.0f', micros) end
local function keep() redis.call('PEXPIRE', key, digits(kept / 1000)) end

-- The clock was set back: the last instant counts as one of now, so that the log neither opens early nor stays shut.
local ahead = (redis.call('LINDEX', key, -1) or now) - now
if ahead > 0 then
  for place, at in ipairs(redis.call('LRANGE', key, 0, -1)) do
    redis.call('LSET', key, place - 1, digits(at - ahead))
  end
  keep()
end
