/**
 * Waits at a locked meeting until a host answers. The page loads this module only for a locked
 * meeting.
 */
import { ControlError } from "../control-api.js";
import { make, say } from "../elements.js";

const PATH = "/carillon/v1/web/knocks";

/** The interval at which the page asks the server for the host's answer, in milliseconds. */
const ASK_MS = 2_000;

const words = Object.freeze({
  waiting: `${say("The meeting is locked. A host was asked to let you in. Wait here.")} `,
  denied: say("A host did not let you in."),
  expired: say("No host answered in time. Join again to ask once more."),
});

/**
 * Asks the hosts to admit the visitor, and waits for the answer.
 * @param {import("../control-api.js").ControlAPI} api
 * @param {{ Meeting: string, Name: string }} visitor
 * @param {(problem: string | null, ...more: Node[]) => void} tell
 * @param {AbortController} waiting the caller aborts this controller to end the wait
 * @returns {Promise<any>} the entry once a host admitted the visitor, or `null`
 */
export async function knock(api, visitor, tell, waiting) {
  const { signal } = waiting;
  try {
    const { Knock } = await api.call("POST", PATH, visitor);
    if (signal.aborted) return null;
    tell(words.waiting, cancelButton(waiting, tell));
    for (;;) {
      await pause(signal);
      if (signal.aborted) return null;
      const answer = await asked(api, Knock);
      if (signal.aborted || answer.State === "waiting") continue;
      if (answer.State === "admitted") return { ...answer, Name: visitor.Meeting };
      tell(words.denied);
      return null;
    }
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    if (!signal.aborted) tell(error.status === 404 ? words.expired : error.message);
    return null;
  }
}

/**
 * Requests the state of a knock. If the server does not answer, sends the request again.
 * @param {import("../control-api.js").ControlAPI} api
 * @param {string} Knock
 */
async function asked(api, Knock) {
  try {
    return await api.call("POST", `${PATH}/state`, { Knock });
  } catch (error) {
    if (error instanceof ControlError && (error.status === 0 || error.status === 503)) return { State: "waiting" };
    throw error;
  }
}

/**
 * @param {AbortController} waiting
 * @param {(problem: string | null) => void} tell
 */
function cancelButton(waiting, tell) {
  const button = make("button", { class: "button small", text: say("Cancel"), attributes: { type: "button", id: "knock-cancel" } });
  button.addEventListener("click", () => {
    waiting.abort();
    tell(null);
    document.getElementById("join")?.focus();
  });
  return button;
}

/**
 * @param {AbortSignal} signal when aborted, ends the pause
 * @returns {Promise<void>}
 */
const pause = (signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ASK_MS);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
