/** Detects active speakers: scores attendees by their volumes, as the public SDKs do. */

/** Computes scores from volumes. */
export class DefaultActiveSpeakerPolicy {
  /** @type {Map<string, number>} */
  #scores = new Map();

  /**
   * @param {number} [speakerWeight] the share of a score that each update keeps
   * @param {number} [cutoffThreshold] the score below which the policy returns 0
   * @param {number} [takeoverRate] the amount by which all other scores fall at each update of an
   *   attendee who speaks
   * @param {number} [silenceThreshold] the volume up to which the policy regards an attendee as
   *   silent
   */
  constructor(speakerWeight = 0.9, cutoffThreshold = 0.01, takeoverRate = 0.2, silenceThreshold = 0.2) {
    this.speakerWeight = speakerWeight;
    this.cutoffThreshold = cutoffThreshold;
    this.takeoverRate = takeoverRate;
    this.silenceThreshold = silenceThreshold;
  }

  /**
   * Returns an attendee's score after a new volume.
   * @param {string} attendeeId
   * @param {number} volume the attendee's volume, from 0 to 1; 0 while muted
   */
  calculateScore(attendeeId, volume) {
    const speaks = volume > this.silenceThreshold ? 1 : 0;
    const before = this.#scores.get(attendeeId) ?? 0;
    const score = before * this.speakerWeight + speaks * (1 - this.speakerWeight);
    this.#scores.set(attendeeId, score);
    for (const [other, value] of this.#scores) {
      if (other !== attendeeId) this.#scores.set(other, Math.max(value - this.takeoverRate * speaks, 0));
    }
    return score < this.cutoffThreshold ? 0 : score;
  }

  /** @param {string} attendeeId the attendee who left */
  forget(attendeeId) {
    this.#scores.delete(attendeeId);
  }
}

/**
 * The time without a volume after which the detector regards an attendee as silent, in
 * milliseconds.
 */
const SILENT_AFTER_MS = 1_000;

/**
 * Finds the active speakers of one roster, the most active first. Callers pass the current time to
 * the methods.
 */
export class ActiveSpeakerDetector {
  /** @type {Map<string, { score: number, heardAt: number, volume: number }>} */
  #attendees = new Map();
  #policy;
  /** @type {string[]} */
  #active = [];

  /** @param {DefaultActiveSpeakerPolicy} [policy] */
  constructor(policy = new DefaultActiveSpeakerPolicy()) {
    this.#policy = policy;
  }

  /** Attendee ids, the most active first. */
  get active() {
    return this.#active;
  }

  /** The scores of all attendees, including zeros. */
  get scores() {
    return new Map([...this.#attendees].map(([id, { score }]) => [id, score]));
  }

  /** @param {string} attendeeId the attendee who joined */
  join(attendeeId) {
    this.#attendees.set(attendeeId, { score: 0, heardAt: -Infinity, volume: 0 });
  }

  /**
   * @param {string} attendeeId the attendee who left
   * @returns {boolean} whether the set of active speakers changed
   */
  leave(attendeeId) {
    this.#attendees.delete(attendeeId);
    this.#policy.forget(attendeeId);
    return this.#sort();
  }

  /**
   * @param {string} attendeeId the attendee who speaks
   * @param {number} volume the attendee's volume, from 0 to 1
   * @param {number} now the current time, in milliseconds
   * @returns {boolean} whether the set of active speakers changed
   */
  hear(attendeeId, volume, now) {
    const attendee = this.#attendees.get(attendeeId);
    if (!attendee) return false;
    attendee.heardAt = now;
    attendee.volume = volume;
    attendee.score = this.#policy.calculateScore(attendeeId, volume);
    return this.#sort();
  }

  /**
   * Lets the scores of silent attendees fade. Call this method every 200 ms.
   * @param {number} now the current time, in milliseconds
   * @returns {boolean} whether the set of active speakers changed
   */
  tick(now) {
    for (const [attendeeId, attendee] of this.#attendees) {
      const isSilent = now - attendee.heardAt > SILENT_AFTER_MS;
      if (isSilent && attendee.score > 0) attendee.score = this.#policy.calculateScore(attendeeId, 0);
    }
    return this.#sort();
  }

  #sort() {
    const active = [...this.#attendees]
      .filter(([, { score }]) => score > 0)
      .sort(([, left], [, right]) => right.score - left.score)
      .map(([attendeeId]) => attendeeId);
    const isSame =
      active.length === this.#active.length && active.every((id) => this.#active.includes(id));
    this.#active = active;
    return !isSame;
  }
}
