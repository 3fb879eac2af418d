/** Who speaks: scores of attendees from their volumes, as the public SDKs compute them. */

/** How volumes become scores. */
export class DefaultActiveSpeakerPolicy {
  /** @type {Map<string, number>} */
  #scores = new Map();

  /**
   * @param {number} [speakerWeight] how much of a score remains with each update
   * @param {number} [cutoffThreshold] below which a score is 0
   * @param {number} [takeoverRate] what the others lose when somebody speaks
   * @param {number} [silenceThreshold] the volume up to which nobody speaks
   */
  constructor(speakerWeight = 0.9, cutoffThreshold = 0.01, takeoverRate = 0.2, silenceThreshold = 0.2) {
    this.speakerWeight = speakerWeight;
    this.cutoffThreshold = cutoffThreshold;
    this.takeoverRate = takeoverRate;
    this.silenceThreshold = silenceThreshold;
  }

  /**
   * The score after one more volume of an attendee.
   * @param {string} attendeeId
   * @param {number} volume from 0 to 1; 0 for who is muted
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

  /** @param {string} attendeeId who has gone */
  forget(attendeeId) {
    this.#scores.delete(attendeeId);
  }
}

/** After how long without a volume an attendee counts as silent, in milliseconds. */
const SILENT_AFTER_MS = 1_000;

/** Follows one roster and says who speaks, the most active first. Time comes from outside. */
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

  /** All scores, zeros included. */
  get scores() {
    return new Map([...this.#attendees].map(([id, { score }]) => [id, score]));
  }

  /** @param {string} attendeeId who came */
  join(attendeeId) {
    this.#attendees.set(attendeeId, { score: 0, heardAt: -Infinity, volume: 0 });
  }

  /**
   * @param {string} attendeeId who has gone
   * @returns {boolean} whether other people are active now
   */
  leave(attendeeId) {
    this.#attendees.delete(attendeeId);
    this.#policy.forget(attendeeId);
    return this.#sort();
  }

  /**
   * @param {string} attendeeId whose volume it is
   * @param {number} volume from 0 to 1
   * @param {number} now in milliseconds
   * @returns {boolean} whether other people are active now
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
   * Lets time pass; to be called every 200 ms.
   * @param {number} now in milliseconds
   * @returns {boolean} whether other people are active now
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
