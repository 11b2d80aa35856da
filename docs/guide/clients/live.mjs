// node live.mjs http://127.0.0.1:8019
const url = process.argv[2];

/** Sends a position and returns what the server says of it. */
async function send(position) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${url}/v1/live`, { method: "POST", headers, body: JSON.stringify(position) });
  return answer.json();
}

const four = "#########.\n".repeat(4);
await send({ channel: "js", board: four, piece: "I", next: "T", level: 19, lines: 100 });
const { rated, best } = await send({ channel: "js", board: "..........", piece: "T", next: "O", level: 19, lines: 104 });
console.log(`${rated.class}, loses ${Math.round(rated.loss)} points; next: column ${best.x}`);
