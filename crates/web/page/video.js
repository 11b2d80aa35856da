// Shows a video and sends its pictures to the worker that reads them.

import { WORDS } from "./words.js";

/** Columns of a picture that is read. */
const MOST_COLUMNS = 1280;
/** Milliseconds of the video between two pictures that are read: more, and files are played slower; fewer, and faster. */
const SLOWER_MS = 36, FASTER_MS = 26;
const LEAST_RATE = 0.25, MOST_RATE = 4;

/** What is asked of a camera. */
const CAMERA = { width: { ideal: 1280 }, frameRate: { ideal: 60 } };

/** The pictures of a capture card or camera: the first one, or the one in whose name this is. @param {string} [name] @returns {Promise<MediaStream>} */
export async function camera(name = "") {
  const all = async () => (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");
  const open = () => navigator.mediaDevices.getUserMedia({ video: CAMERA });
  if (name === "") return open();
  let devices = await all();
  if (devices.every(({ label }) => label === "")) {
    // Their names are known once one was asked for, also if another program holds it.
    await open().then((stream) => stream.getTracks().forEach((track) => track.stop()), () => {});
    devices = await all();
  }
  const found = devices.find(({ label }) => label.toLowerCase().includes(name.toLowerCase()));
  if (!found) throw new Error(WORDS.noDevice(name, devices.map(({ label }) => label)));
  return navigator.mediaDevices.getUserMedia({ video: { ...CAMERA, deviceId: { exact: found.deviceId } } });
}

/**
 * Shows a file or a stream in `video`, and calls `picture` with each of its pictures and their time in milliseconds, one after the other,
 * until the video or `signal` ends. A file waits while a picture is being read, and is played as fast as its pictures are read. Of a stream the
 * pictures that come meanwhile are left out.
 * @param {HTMLVideoElement} video
 * @param {File | MediaStream} source
 * @param {(bitmap: ImageBitmap, time: number, part: number) => Promise<void>} picture `part` is the share of a file that is done.
 * @param {AbortSignal} signal
 * @returns {Promise<void>} Rejects with one line if the browser cannot show the video.
 */
export async function show(video, source, picture, signal) {
  const url = source instanceof File ? URL.createObjectURL(source) : null;
  const wake = () => (document.hidden ? video.pause() : video.play().catch(() => {}));
  try {
    await new Promise((done, fail) => {
      if (!("requestVideoFrameCallback" in video)) return fail(new Error(WORDS.oldBrowser));
      let busy = false, last = -1, gap = FASTER_MS;
      /** The picture at which a file waits. @type {number | null} */
      let waits = null;
      /** @type {Promise<unknown>} */
      let reading = Promise.resolve();
      const read = (/** @type {number} */ mediaTime) => {
        if (mediaTime === last) return;
        if (last >= 0 && url) {
          gap += 0.1 * (1000 * (mediaTime - last) - gap);
          const rate = video.playbackRate * (gap > SLOWER_MS ? 0.95 : gap < FASTER_MS ? 1.02 : 1);
          video.playbackRate = Math.min(Math.max(rate, LEAST_RATE), MOST_RATE);
        }
        [busy, last] = [true, mediaTime];
        const { videoWidth, videoHeight, duration } = video;
        const size = videoWidth > MOST_COLUMNS ? { resizeWidth: MOST_COLUMNS, resizeHeight: Math.round(videoHeight * MOST_COLUMNS / videoWidth) } : {};
        reading = createImageBitmap(video, size).then((bitmap) => picture(bitmap, 1000 * mediaTime, mediaTime / duration)).then(() => {
          busy = false;
          if (waits === null) return;
          read(waits);
          waits = null;
          wake();
        }).catch(fail);
      };
      /** @type {VideoFrameRequestCallback} */
      const next = (_, { mediaTime }) => {
        if (signal.aborted) return;
        video.requestVideoFrameCallback(next);
        if (!busy) return read(mediaTime);
        if (!url) return;
        waits = mediaTime;
        video.pause();
      };
      video.onended = async () => {
        // The last picture may still be waiting.
        for (let before; before !== reading;) await (before = reading);
        done(0);
      };
      video.onerror = () => fail(new Error(WORDS.noVideo));
      signal.addEventListener("abort", () => done(0));
      if (url) {
        video.src = url;
        // A video that is not seen is not drawn.
        document.addEventListener("visibilitychange", wake);
      } else {
        const stream = /** @type {MediaStream} */ (source);
        video.srcObject = stream;
        stream.getVideoTracks()[0].addEventListener("ended", () => done(0));
      }
      video.requestVideoFrameCallback(next);
      video.play().catch(() => fail(new Error(WORDS.noVideo)));
    });
  } finally {
    document.removeEventListener("visibilitychange", wake);
    video.onerror = video.onended = null;
    video.pause();
    video.removeAttribute("src");
    video.srcObject = null;
    if (url) URL.revokeObjectURL(url);
    else for (const track of /** @type {MediaStream} */ (source).getTracks()) track.stop();
  }
}
