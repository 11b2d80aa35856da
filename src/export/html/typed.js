// Reads a placement that the reader types, in the notations that players and our own tables use.

// The rotation of each orientation, as docs/how-it-works/the-game.md names them; an O has none.
const ROTATIONS = [..."urdllurdhv hvrdluvh"];
const ROTATION_NAMES = { u: "up", r: "right", d: "down", l: "left", h: "horizontal", v: "vertical" };
const PIECES = "TTTTJJJJZZOSSLLLLII";
const EXPECTED = "expected one such as Td-456, columns 4-6, or x y orientation as in 5 18 2";

// “x y orientation” as the JSON of review and analyze has it.
const AS_NUMBERS = /^(\d{1,2})[ ,]+(\d{1,2})[ ,]+(\d{1,2})$/;
// Turns clockwise and columns from the spawn, and rows if given, as in StackRabbit's answers.
const AS_TURNS = /^\[ *(\d) *, *([+-]?\d{1,2}) *(?:, *(\d{1,2}) *)?\]$/;
// Piece and rotation, either of which may be missing, then columns, and a row if given.
const AS_COLUMNS = /^([tjzosli])?[ -]*(up|right|down|left|horiz(?:ontal)?|vert(?:ical)?|[urdlhv])?[ -]*(?:(?:at|in) +)?(?:col(?:umn)?s? *)?(\d+(?: *- *\d+)?)(?:[ ,]+row *(\d{1,2}))?$/;

// The columns of a text such as 4-6, 456 or 890, in which 0 is the tenth; null if they do not lie side by side.
function columnsOf(text) {
  const ends = text.split("-").map(Number);
  const digits = text === "10" ? [10] : [...text].map((digit) => Number(digit) || 10);
  const columns = ends.length === 2 ? Array.from({ length: Math.min(10, Math.max(0, ends[1] - ends[0] + 1)) }, (_, i) => ends[0] + i) : digits;
  const good = columns.length > 0 && columns.every((column, i) => column >= 1 && column <= 10 && (i === 0 || column === columns[i - 1] + 1));
  return good ? columns : null;
}

// The fields of a placement that a text names, without those that it does not name; null if it names no placement.
function askedBy(text, current) {
  const plain = text.trim().toLowerCase().replace(/[‐-―−]/g, "-");
  const numbers = AS_NUMBERS.exec(plain);
  if (numbers) return { x: Number(numbers[1]), y: Number(numbers[2]), orientation: Number(numbers[3]) };
  const turns = AS_TURNS.exec(plain);
  if (turns) return { turns: Number(turns[1]), x: 5 + Number(turns[2]), ...(turns[3] ? { y: Number(turns[3]) } : {}) };
  const named = AS_COLUMNS.exec(plain);
  const columns = named && columnsOf(named[3].replaceAll(" ", ""));
  if (!columns) return null;
  let [, piece, rotation, , row] = named;
  // A lone l means the piece L if that is the piece in play, and otherwise the rotation “left”.
  if (piece === "l" && !rotation && current !== "L") [piece, rotation] = [undefined, "l"];
  return { columns, ...(piece ? { piece: piece.toUpperCase() } : {}), ...(rotation ? { rotation: rotation[0] } : {}), ...(row ? { row: Number(row) } : {}) };
}

// All the fields of a placement that a text may name.
function fieldsOf({ x, y, orientation }) {
  const cells = cellsOf(x, y, orientation);
  const piece = PIECES[orientation];
  const [first, count] = [PIECES.indexOf(piece), PIECES.lastIndexOf(piece) - PIECES.indexOf(piece) + 1];
  return {
    x, y, orientation, piece,
    rotation: ROTATIONS[orientation],
    turns: (orientation - first + count - (data.spawns[piece] - first)) % count,
    columns: [...new Set(cells.map(([column]) => column + 1))].sort((a, b) => a - b),
    row: 20 - Math.max(...cells.map(([, row]) => row)),
  };
}

const isAsked = (fields, asked) => Object.entries(asked).every(([name, value]) => String(fields[name]) === String(value));

// Piece, rotation and columns, such as Td-456.
function notation(place) {
  const { piece, rotation, columns } = fieldsOf(place);
  return `${piece}${rotation.trim()}-${columns.map((column) => column % 10).join("")}`;
}

// The number of the placement of `piece` that a text means, or one line that says why it means none. If several have the
// same columns and rotation, it means the highest: the one that drops straight, not the one under an overhang.
function typedPlace(text, piece, places) {
  const asked = askedBy(text, piece);
  if (!asked) return { wrong: `“${clipped(text.trim())}” is no placement, ${EXPECTED}` };
  const named = asked.piece ?? (asked.orientation === undefined ? piece : PIECES[asked.orientation]);
  if (named !== piece) return { wrong: named ? `“${clipped(text.trim())}” is a placement of ${named}, but the piece is ${piece}` : `“${clipped(text.trim())}” has no orientation of ${piece}, ${EXPECTED}` };
  const found = places.map((place, i) => [place, i]).filter(([place]) => isAsked(fieldsOf(place), asked));
  if (!found.length) return { wrong: `“${clipped(text.trim())}” is not a placement that ${piece} can reach here` };
  const ids = [...new Set(found.map(([{ orientation }]) => orientation))];
  if (ids.length > 1) {
    const some = ids.map((orientation) => found.find(([place]) => place.orientation === orientation)[0]);
    return { wrong: `“${clipped(text.trim())}” may be ${some.map((place) => `${notation(place)} (${ROTATION_NAMES[ROTATIONS[place.orientation]]})`).join(" or ")}: name the rotation, too` };
  }
  found.sort(([a], [b]) => a.y - b.y);
  return { index: found[0][1] };
}
