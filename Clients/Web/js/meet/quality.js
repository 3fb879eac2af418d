/**
 * Decides whether a connection has been bad for so long that the page must inform the user. This
 * module does not access the page.
 */

/**
 * @typedef {object} Metrics the metrics of `metricsDidReceive` that this module uses
 * @property {number} [audioReceivePacketLossPercent]
 * @property {number} [audioSendPacketLossPercent]
 * @property {number} [videoReceivePacketLossPercent]
 * @property {number} [videoSendPacketLossPercent]
 * @property {number} [videoSendRttMs]
 *
 * @typedef {"hear" | "heard" | "see" | "seen" | "late"} Trouble
 * @typedef {{ trouble: Trouble, figure: number }} Finding
 */

/**
 * The smallest bad value of each metric, the most important metric first. The metrics of sound are
 * the most important.
 */
const LIMITS = /** @type {const} */ ([
  ["audioReceivePacketLossPercent", "hear", 10],
  ["audioSendPacketLossPercent", "heard", 10],
  ["videoReceivePacketLossPercent", "see", 8],
  ["videoSendPacketLossPercent", "seen", 8],
  ["videoSendRttMs", "late", 600],
]);

/** How long a metric must be bad before the page shows the metric, in milliseconds. */
const BAD_MS = 5_000;

/** How long all metrics must be good before the page hides the text, in milliseconds. */
const GOOD_MS = 3_000;

export class Quality {
  /** @type {Map<Trouble, number>} */
  #badSince = new Map();
  #lastBadAt = -Infinity;
  /** @type {Finding[]} */
  #told = [];

  /**
   * Processes the metrics of a second.
   * @param {Metrics} metrics
   * @param {number} now the current time, in milliseconds
   * @returns {readonly Finding[]} the bad metrics, the most important first; empty while the connection is good
   */
  take(metrics, now) {
    const bad = LIMITS.flatMap(([name, trouble, limit]) => {
      const figure = metrics[name];
      return figure !== undefined && figure >= limit ? [{ trouble, figure }] : [];
    });
    const troubles = new Set(bad.map(({ trouble }) => trouble));
    for (const trouble of this.#badSince.keys()) if (!troubles.has(trouble)) this.#badSince.delete(trouble);
    for (const trouble of troubles) if (!this.#badSince.has(trouble)) this.#badSince.set(trouble, now);
    const lasting = bad.filter(({ trouble }) => now - (this.#badSince.get(trouble) ?? now) >= BAD_MS);
    if (lasting.length) [this.#told, this.#lastBadAt] = [lasting, now];
    else if (now - this.#lastBadAt >= GOOD_MS) this.#told = [];
    return this.#told;
  }
}
