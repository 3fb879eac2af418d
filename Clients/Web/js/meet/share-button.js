import { ContentShareStatusCode, VideoDeviceError } from "../carillon/carillon.js";
import { byId, focusOn, say } from "../elements.js";

/** The button that shares a screen and ends the share. */
export class ShareButton {
  #session;
  #tell;
  #button = byId("share-screen", HTMLButtonElement);
  #card = byId("share-card", HTMLElement);

  /**
   * @param {import("../carillon/meeting/audio-video.js").AudioVideo} session
   * @param {(text: string) => void} tell shows a text and reads it out
   * @param {(text: string) => void} read reads a text out
   * @param {AbortSignal} signal
   */
  constructor(session, tell, read, signal) {
    this.#session = session;
    this.#tell = tell;
    // Browsers on phones cannot share a screen.
    this.#button.hidden = !navigator.mediaDevices?.getDisplayMedia;
    this.#button.addEventListener("click", () => void this.#toggle(), { signal });
    // If the user closes the tab, the share ends, so the browser asks the user first.
    addEventListener("beforeunload", (event) => session.isSharingContent && event.preventDefault(), { signal });
    byId("share-stop", HTMLElement).addEventListener("click", () => this.#stop(), { signal });
    session.addContentShareObserver({
      // The card shows this text.
      contentShareDidStart: () => read(say("Everybody sees your screen.")),
      contentShareDidStop: (/** @type {{ statusCode: number }} */ { statusCode }) => {
        this.#show(false);
        tell(statusCode === ContentShareStatusCode.ok ? say("Your screen is not shared any more.") : say("Your screen could not be shared. Try to share it again."));
      },
    });
    this.#show(false);
  }

  /**
   * Starts or ends a share, as the button does.
   * @param {boolean} isOn
   */
  async set(isOn) {
    if (this.#session.isSharingContent !== isOn) await this.#toggle();
  }

  async #toggle() {
    if (this.#session.isSharingContent) return this.#session.stopContentShare();
    try {
      await this.#session.startContentShare();
      this.#show(this.#session.isSharingContent);
    } catch (error) {
      if (!(error instanceof VideoDeviceError)) throw error;
      // A user who cancels the browser's dialog needs no message.
      if (error.reason !== "videoPermissionError") this.#tell(say("This browser cannot share a screen. Join with another browser to share."));
    }
  }

  /**
   * Ends the share. The card with the focused button disappears, so the focus moves to the button
   * that starts a share.
   */
  #stop() {
    this.#session.stopContentShare();
    focusOn(this.#button);
  }

  /** @param {boolean} isSharing */
  #show(isSharing) {
    this.#card.hidden = !isSharing;
    this.#button.setAttribute("aria-pressed", `${isSharing}`);
    const label = this.#button.querySelector(".label");
    if (label) label.textContent = isSharing ? say("Stop sharing") : say("Share screen");
  }
}
