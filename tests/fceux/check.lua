-- Runs inside FCEUX while it plays an exported movie. Writes two files and leaves:
--   MAXOUT_TRACE  a trace for `maxout conform`, one row per frame of our log (docs/reference/formats.md)
--   MAXOUT_STATE  score, lines, level and the field after the last record, as `maxout replay --json` names them
-- MAXOUT_MOVIE is the movie; our log is its records without the first.

-- Frame f of our log is record f + 1. It has been played when the frame count, from 1 on, is f + 2.
local LEAD = 1

-- What the movie says was pressed, in the game's bit order. Not read from RAM: a movie that is played out of step
-- must not agree with itself.
local pads = {}
for line in io.lines(os.getenv("MAXOUT_MOVIE")) do
  local columns = line:match("^|%d+|(........)|")
  if columns then
    local byte = 0
    for bit = 0, 7 do
      if columns:sub(bit + 1, bit + 1) ~= "." then byte = byte + 2 ^ bit end
    end
    pads[#pads + 1] = byte
  end
end

local trace = assert(io.open(os.getenv("MAXOUT_TRACE"), "w"))

local columns = {
  {"mode", 0xC0}, {"gms", 0xA7}, {"ps", 0x48}, {"x", 0x40}, {"y", 0x41}, {"id", 0x42}, {"lvl", 0x44},
  {"ft", 0x45}, {"arx", 0x46}, {"ary", 0x4E}, {"hdp", 0x4F}, {"l0", 0x50}, {"l1", 0x51}, {"rowy", 0x52},
  {"s0", 0x53}, {"s1", 0x54}, {"s2", 0x55}, {"cl", 0x56}, {"li", 0x57}, {"cr0", 0x4A}, {"cr1", 0x4B},
  {"cr2", 0x4C}, {"cr3", 0x4D}, {"cur", 0x58}, {"vr", 0x69}, {"nb", 0xF5}, {"hb", 0xF7}, {"next", 0xBF},
  {"sid", 0x19}, {"sct", 0x1A}, {"r0", 0x17}, {"r1", 0x18}, {"fc0", 0xB1}, {"fc1", 0xB2}, {"slv", 0x67},
  {"dnp", 0xDF}, {"slp", 0xC3}, {"rm", 0xBD}, {"gt", 0xC1},
}
local blocks = {{"stats", 0x3F0, 14}, {"lcs", 0xD8, 4}, {"pfx", 0x4C8, 56}}

local function hex(bytes)
  return (bytes:gsub(".", function(byte) return string.format("%02x", byte:byte()) end))
end

-- Occupancy, row 0 first, most significant bit = column 0.
local function occupancy(field)
  local digits = {}
  for at = 1, 200, 4 do
    local digit = 0
    for bit = 0, 3 do
      digit = 2 * digit
      if field:byte(at + bit) ~= 0xEF then digit = digit + 1 end
    end
    digits[#digits + 1] = string.format("%x", digit)
  end
  return table.concat(digits)
end

local header = {"f", "btn", "poke"}
for _, column in ipairs(columns) do header[#header + 1] = column[1] end
for _, name in ipairs({"stats", "lcs", "pfx", "pf", "pfcrc"}) do header[#header + 1] = name end
trace:write(table.concat(header, ","), "\n")

local last = {}
local function changed(name, bytes)
  if last[name] == bytes then return false end
  last[name] = bytes
  return true
end

local function row(frame)
  local page = memory.readbyterange(0, 0x100)
  local cells = {tostring(frame), string.format("%02x", pads[frame + LEAD + 1]), ""}
  for _, column in ipairs(columns) do
    cells[#cells + 1] = string.format("%02x", page:byte(column[2] + 1))
  end
  for _, block in ipairs(blocks) do
    local bytes = memory.readbyterange(block[2], block[3])
    cells[#cells + 1] = changed(block[1], bytes) and hex(bytes) or ""
  end
  local field = memory.readbyterange(0x400, 200)
  cells[#cells + 1] = changed("pf", field) and occupancy(field) or ""
  cells[#cells + 1] = ""
  trace:write(table.concat(cells, ","), "\n")
end

local function two(byte) return math.floor(byte / 16) * 10 + byte % 16 end

local function finish()
  trace:close()
  local read = memory.readbyte
  local state = assert(io.open(os.getenv("MAXOUT_STATE"), "w"))
  state:write(string.format("shown_score %d\n", two(read(0x75)) * 10000 + two(read(0x74)) * 100 + two(read(0x73))))
  state:write(string.format("lines %d\n", read(0x71) * 100 + two(read(0x70))))
  state:write(string.format("level %d\n", read(0x64)))
  state:write("field_bytes ", hex(memory.readbyterange(0x400, 200)):upper(), "\n")
  state:close()
end

emu.speedmode("maximum")
while emu.framecount() < #pads do
  emu.frameadvance()
  local frame = emu.framecount() - LEAD - 1
  -- Rows before the game has cleared RAM are the emulator's own business.
  if frame > 2 then row(frame) end
end
finish()
emu.exit()
