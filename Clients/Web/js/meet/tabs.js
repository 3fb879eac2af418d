/**
 * The tabs of one browser. This module detects another tab in the same meeting, and ends the
 * meeting in this tab when another tab takes over.
 */

/** How long a new tab waits for answers, in milliseconds. */
const ANSWER_MS = 250;

/** @typedef {{ type: "ask" | "here" | "move", meeting: string }} Message */

export class Tabs {
  /** @type {BroadcastChannel | null} */
  #channel = null;
  #replaced;
  /** Whether another tab took over the last meeting from this tab. */
  isReplaced = false;

  /** @param {() => void} replaced called when another tab takes over the meeting from this tab */
  constructor(replaced) {
    this.#replaced = replaced;
  }

  /**
   * Returns whether another tab is in a meeting.
   * @param {string} meeting the meeting's id
   * @returns {Promise<boolean>}
   */
  async isElsewhere(meeting) {
    const channel = new BroadcastChannel("carillon");
    const answer = new Promise((resolve) => {
      channel.onmessage = ({ data }) => {
        if (data.type === "here" && data.meeting === meeting) resolve(true);
      };
      setTimeout(() => resolve(false), ANSWER_MS);
    });
    channel.postMessage({ type: "ask", meeting });
    const isElsewhere = await answer;
    channel.close();
    return isElsewhere;
  }

  /**
   * Asks all other tabs to leave a meeting.
   * @param {string} meeting
   */
  moveHere(meeting) {
    const channel = new BroadcastChannel("carillon");
    channel.postMessage({ type: "move", meeting });
    channel.close();
  }

  /**
   * Answers other tabs from now on.
   * @param {string} meeting the meeting that this tab is in
   */
  enter(meeting) {
    this.leave();
    this.isReplaced = false;
    const channel = new BroadcastChannel("carillon");
    this.#channel = channel;
    channel.onmessage = (/** @type {MessageEvent<Message>} */ { data }) => {
      if (data.meeting !== meeting) return;
      if (data.type === "ask") channel.postMessage({ type: "here", meeting });
      if (data.type !== "move") return;
      this.isReplaced = true;
      this.#replaced();
    };
  }

  /** Stops answering other tabs. */
  leave() {
    this.#channel?.close();
    this.#channel = null;
  }
}
