/**
 * The track of a microphone or a camera. If choices overlap, the last choice wins. The object stops
 * only the tracks that it opened.
 */
export class InputTrack {
  /** @type {MediaStreamTrack | null} */
  #track = null;
  /** Whether this object opened the track and must stop it. */
  #isOwn = false;
  #choices = 0;
  #events;

  /**
   * @param {object} events
   * @param {(track: MediaStreamTrack | null) => void} events.changed
   * @param {() => void} events.ended the user unplugged the device, or revoked the permission
   */
  constructor(events) {
    this.#events = events;
  }

  /** The current track, or `null` if there is none. */
  get current() {
    return this.#track;
  }

  /**
   * Opens a device and uses its track. If a caller makes another choice while the device opens,
   * this method stops the track that it opened.
   * @param {() => Promise<MediaStreamTrack | null>} open
   * @param {() => void} chosen called before `changed`, unless a later choice replaced this choice
   */
  async open(open, chosen) {
    const choice = ++this.#choices;
    const track = await open();
    if (choice !== this.#choices) return track?.stop();
    chosen();
    this.#use(track, true);
  }

  /**
   * Uses a track of the application, or no track. The application stops its track.
   * @param {MediaStreamTrack | null} track
   */
  use(track) {
    this.#choices += 1;
    this.#use(track, false);
  }

  /**
   * @param {MediaStreamTrack | null} track
   * @param {boolean} isOwn
   */
  #use(track, isOwn) {
    const [before, wasOwn] = [this.#track, this.#isOwn];
    [this.#track, this.#isOwn] = [track, isOwn];
    track?.addEventListener("ended", () => this.#ended(track));
    this.#events.changed(track);
    if (wasOwn && before !== track) before?.stop();
  }

  /** @param {MediaStreamTrack} track */
  #ended(track) {
    if (track !== this.#track) return;
    this.#use(null, false);
    this.#events.ended();
  }
}
