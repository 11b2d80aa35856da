// The sound of the emulator. It is off until somebody asks for it, as browsers want it, too.

/** Samples in a second, as in crates/host/src/console.rs. */
const RATE = 48_000;
/** How far ahead of the speaker a frame is played, in seconds. */
const LEAD = 0.05;
/** Sound that would be heard later than this is left out: the console runs a little faster than the speaker. */
const MOST = 0.2;

/** @type {AudioContext | null} */
let context = null;
let on = false;
/** When the next frame's sound begins. */
let next = 0;

export const isOn = () => on;

/** Turns the sound on or off, and returns whether it is on. */
export function toggle() {
  on = !on;
  if (on) {
    context ??= new AudioContext({ sampleRate: RATE });
    context.resume().catch(() => {});
  } else {
    context?.suspend().catch(() => {});
  }
  document.body.dataset.sound = "0";
  return on;
}

/** Plays the sound of one frame after that of the frame before. @param {Float32Array<ArrayBuffer>} samples */
export function play(samples) {
  if (!on || !context || samples.length === 0) return;
  document.body.dataset.sound = String(Number(document.body.dataset.sound) + samples.length);
  const now = context.currentTime;
  if (next < now) next = now + LEAD;
  if (next > now + MOST) return;
  const buffer = context.createBuffer(1, samples.length, RATE);
  buffer.copyToChannel(samples, 0);
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.start(next);
  next += buffer.duration;
}
