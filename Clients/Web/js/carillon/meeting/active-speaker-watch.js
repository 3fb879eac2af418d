import { ActiveSpeakerDetector } from "./active-speaker.js";

/** The interval at which scores fade, in milliseconds. */
const TICK_MS = 200;

/**
 * @typedef {object} ActiveSpeakerObserver
 * @property {(active: import("./roster.js").AttendeeInfo[]) => void} activeSpeakerDidDetect
 * @property {number} [scoresCallbackIntervalMs]
 * @property {(scores: Map<string, number>) => void} [activeSpeakerScoreDidChange]
 */

/** The registration of one active-speaker observer: its detector and its timer. */
export class ActiveSpeakerWatch {
  #detector;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;
  #toldScoresAt = 0;

  /**
   * @param {import("./active-speaker.js").DefaultActiveSpeakerPolicy} policy
   * @param {ActiveSpeakerObserver} observer
   * @param {(attendeeId: string) => import("./roster.js").AttendeeInfo | undefined} find
   */
  constructor(policy, observer, find) {
    this.#detector = new ActiveSpeakerDetector(policy);
    this.observer = observer;
    this.find = find;
    this.#clock = setInterval(() => this.#tick(), TICK_MS);
  }

  /**
   * @param {import("./roster.js").RosterChanges} changes
   * @param {number} now
   */
  take(changes, now) {
    let isNew = false;
    for (const { attendeeId } of changes.joined) this.#detector.join(attendeeId);
    for (const { attendeeId } of [...changes.left, ...changes.dropped]) {
      isNew = this.#detector.leave(attendeeId) || isNew;
    }
    for (const { attendeeInfo, volume } of changes.volumes) {
      isNew = this.#detector.hear(attendeeInfo.attendeeId, volume, now) || isNew;
    }
    if (isNew) this.#tell();
  }

  /** Stops the timer. */
  stop() {
    clearInterval(this.#clock);
  }

  #tick() {
    const now = performance.now();
    if (this.#detector.tick(now)) this.#tell();
    const interval = this.observer.scoresCallbackIntervalMs;
    if (!interval || !this.observer.activeSpeakerScoreDidChange) return;
    if (now - this.#toldScoresAt < interval) return;
    this.#toldScoresAt = now;
    this.observer.activeSpeakerScoreDidChange(this.#detector.scores);
  }

  #tell() {
    const active = this.#detector.active.map(this.find).filter((each) => each !== undefined);
    this.observer.activeSpeakerDidDetect(
      /** @type {import("./roster.js").AttendeeInfo[]} */ (active),
    );
  }
}
