
-- A try under a name; ARGV[2]: most instants that are kept, then bounds of three numbers: where at least so many count, which of them
-- from the end has to be how old.
-- Answers now, and how long the try has to wait: nothing when it is let through and counted.
local size, wait = redis.call('LLEN', key), 0
for at = 3, #ARGV, 3 do
  if size >= tonumber(ARGV[at]) then
    local one = redis.call('LINDEX', key, -tonumber(ARGV[at + 1]))
    if one then wait = math.max(wait, one + ARGV[at + 2] - now) end
  end
end
if wait == 0 then
  redis.call('RPUSH', key, digits(now))
  redis.call('LTRIM', key, -tonumber(ARGV[2]), -1)
  keep()
end
return { digits(now), digits(wait) }
