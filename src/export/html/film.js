// What the data block says, unpacked: a film has the stack after each piece and the pose of each frame.

const RATE = 60.0988;

const unpack = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

function unpackButtons(text, frames) {
  const bytes = unpack(text);
  const held = new Uint8Array(frames + 1);
  let at = 1;
  for (let i = 0; i < bytes.length; ) {
    const mask = bytes[i++];
    let count = 0;
    let shift = 0;
    let byte;
    do {
      byte = bytes[i++];
      count += (byte & 0x7f) * 2 ** shift;
      shift += 7;
    } while (byte & 0x80);
    held.fill(mask, at, at + count);
    at += count;
  }
  return held;
}

// Poses [frame, x, y, orientation] of each piece, its appearance first.
function unpackMoves(text, spawns, pieces) {
  const bytes = unpack(text);
  const paths = [];
  let i = 0;
  for (let k = 0; k < spawns.length; k++) {
    let [frame, x, y, id] = [spawns[k], 5, 0, data.spawns[pieces[k]]];
    const path = [[frame, x, y, id]];
    for (;;) {
      const code = bytes[i] & 31;
      let gap = bytes[i++] >> 5;
      if (code === 31) break;
      if (gap === 0) gap = bytes[i++];
      frame += gap;
      if (code === 30) {
        [x, y, id] = bytes.subarray(i, i + 3);
        i += 3;
      } else {
        y += code & 1;
        x += ((code >> 1) % 3) - 1;
        const turn = Math.floor(code / 6);
        if (turn) id = data.turns[turn - 1][id];
      }
      path.push([frame, x, y, id]);
    }
    paths.push(path);
  }
  return paths;
}

// The game keeps its field in a page of 256 bytes, so that the rows above the field are its end, and a cleared
// top row moves the whole page down.
const at = (column, row) => (row * 10 + column) & 255;

function put(page, lock) {
  const next = page.slice();
  for (const [x, y] of cellsOf(lock.x, lock.y, lock.id)) next[at(x, y)] = 1 + LETTERS.indexOf(lock.piece);
  return next;
}

function fullRows(page, lock) {
  const rows = [];
  const top = Math.max(0, lock.y - 2);
  for (let row = top; row < top + 4 && row < 20; row++) {
    if (page.subarray(row * 10, row * 10 + 10).every(Boolean)) {
      rows.push(row);
      clear(page, row);
    }
  }
  return rows;
}

function clear(page, row) {
  page.copyWithin(10, 0, row === 0 ? 246 : row * 10);
  page.fill(0, 0, 10);
}

function height(page) {
  const cell = page.subarray(0, 200).findIndex(Boolean);
  return cell < 0 ? 0 : 20 - Math.floor(cell / 10);
}

function unpackFilm(packed) {
  const run = data.runs[packed.run];
  const count = packed.id.length;
  const film = { run, frames: packed.frames, pieces: packed.pieces, locks: [], stacks: [new Uint8Array(256)], spawns: [] };
  let frame = 0;
  let [score, lines, rated, burn, drought] = [0, 0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const spawned = frame + packed.spawned[i];
    const locked = spawned + packed.locked[i];
    frame = locked + packed.scored[i];
    const rows = packed.rows[i];
    score += packed.points[i];
    lines += rows;
    if (rows === 4) rated += 4;
    burn = rows === 4 ? 0 : burn + rows;
    drought = packed.pieces[i] === "I" ? 0 : drought + 1;
    const lock = {
      spawned, locked, frame, rows, score, lines, burn, drought,
      piece: packed.pieces[i], id: packed.id[i], x: packed.x[i], y: packed.y[i],
      points: packed.points[i], level: packed.level[i], rate: lines ? rated / lines : 0,
    };
    const stack = put(film.stacks[i], lock);
    lock.full = fullRows(stack, lock);
    lock.height = height(stack);
    film.locks.push(lock);
    film.stacks.push(stack);
    film.spawns.push(spawned);
  }
  if (packed.last_spawn !== null) film.spawns.push(packed.last_spawn);
  film.paths = unpackMoves(packed.moves, film.spawns, packed.pieces);
  film.held = unpackButtons(packed.buttons, packed.frames);
  return film;
}

// Number of entries of a sorted list whose key is at most `value`.
function countUpTo(list, value, key) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (key(list[mid]) <= value) low = mid + 1;
    else high = mid;
  }
  return low;
}

const START = { score: 0, lines: 0, rate: 0, burn: 0, drought: 0, height: 0, points: 0, rows: 0 };

// The state after `count` pieces.
const after = (film, count) => (count > 0 ? film.locks[count - 1] : { ...START, level: film.run.start_level });

// Frame at which the next piece stands in the air after `count` pieces; the end after the last.
const frameOf = (film, count) => (count < film.locks.length ? film.spawns[count] : film.frames);

// What is on the screen at the end of a frame.
function look(film, frame) {
  const count = countUpTo(film.locks, frame, (lock) => lock.frame);
  const view = { count, stack: film.stacks[count], piece: null, ghost: null, full: [] };
  const lock = film.locks[count];
  if (lock && frame >= lock.locked) {
    // The rows are still there while they flash, so they are found on the stack before they went.
    view.stack = put(film.stacks[count], lock);
    const top = Math.max(0, lock.y - 2);
    for (let row = top; row < top + 4 && row < 20; row++) {
      if (view.stack.subarray(row * 10, row * 10 + 10).every(Boolean)) view.full.push(row);
    }
  } else if (count < film.spawns.length && frame >= film.spawns[count]) {
    const path = film.paths[count];
    const [, x, y, id] = path[countUpTo(path, frame, (pose) => pose[0]) - 1];
    view.piece = { cells: cellsOf(x, y, id), letter: film.pieces[count] };
    if (lock) view.ghost = cellsOf(lock.x, lock.y, lock.id);
  }
  return view;
}
