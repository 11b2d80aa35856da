-- lua live.lua http://127.0.0.1:8019 (needs LuaSocket, as the emulators' scripts have it)
local http, ltn12 = require("socket.http"), require("ltn12")
local url = arg[1]

-- Sends a position and returns what the server says of it, as JSON.
local function send(position)
  local answer = {}
  http.request({
    url = url .. "/v1/live", method = "POST",
    headers = { ["Content-Type"] = "application/json", ["Content-Length"] = tostring(#position) },
    source = ltn12.source.string(position), sink = ltn12.sink.table(answer),
  })
  return table.concat(answer)
end

local four, empty = string.rep("0", 160) .. string.rep("1111111110", 4), string.rep("0", 200)
local form = '{"channel": "lua", "board": "%s", "piece": "%s", "next": "%s", "level": 19, "lines": %d}'
send(string.format(form, four, "I", "T", 100))
local answer = send(string.format(form, empty, "T", "O", 104))
local class, loss = answer:match('"class":"([%a-]+)","loss":([%d.]+)')
-- Only the best placement of the next piece has buttons.
local column = answer:match('"best":{[^{}]-"x":(%d+)[^{}]-"buttons"')
print(string.format("%s, loses %.0f points; next: column %s", class, tonumber(loss), column))
