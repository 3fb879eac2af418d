const METER_MS = 100;

/**
 * Measures a microphone's level on a clone of the microphone's track, so that the meter works even
 * while the user is muted.
 */
export class Meter {
  #heard;
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {MediaStreamTrack | null} */
  #copy = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /** @param {(level: number) => void} heard called ten times a second with a level from 0 to 1 */
  constructor(heard) {
    this.#heard = heard;
  }

  /** @param {MediaStreamTrack | null} track the track to measure */
  measure(track) {
    this.#stop();
    this.#heard(0);
    if (!track) return;
    const copy = (this.#copy = track.clone());
    copy.enabled = true;
    // If nobody stopped the clone, the clone would keep the device open.
    track.addEventListener("ended", () => copy.stop(), { once: true });
    this.#listen(copy);
  }

  #stop() {
    clearInterval(this.#clock);
    void this.#context?.close();
    this.#context = null;
    this.#copy?.stop();
    this.#copy = null;
  }

  /** @param {MediaStreamTrack} track */
  #listen(track) {
    const context = (this.#context = new AudioContext());
    const analyser = new AnalyserNode(context, { fftSize: 2048 });
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    this.#clock = setInterval(() => {
      // Browsers may suspend the context until the user interacts with the page.
      if (context.state === "suspended") void context.resume();
      analyser.getFloatTimeDomainData(samples);
      this.#heard(levelOf(samples));
    }, METER_MS);
  }
}

/**
 * Returns the level of samples on a logarithmic scale: 0 at -60 dBFS or less, 1 at full scale.
 * @param {Float32Array} samples the samples, from -1 to 1
 */
export function levelOf(samples) {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);
  const decibels = 10 * Math.log10(power || 1e-12);
  return Math.min(1, Math.max(0, 1 + decibels / 60));
}
