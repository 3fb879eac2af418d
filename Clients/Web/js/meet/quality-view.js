import { make } from "../elements.js";
import { Quality } from "./quality.js";
import { troubles, words } from "./words/quality.js";

/** Shows a text while the connection is bad. The user can unfold the measured values. */
export class QualityView {
  #quality = new Quality();
  #summary = make("summary");
  #figures = make("p");
  #view = make(
    "section",
    { class: "quality", attributes: { "aria-label": words.connection } },
    make("details", {}, this.#summary, this.#figures),
  );
  #read;

  /**
   * @param {HTMLElement} room
   * @param {(text: string) => void} read reads out a text
   */
  constructor(room, read) {
    this.#read = read;
    this.#view.hidden = true;
    room.append(this.#view);
  }

  /** Removes the view. */
  close() {
    this.#view.remove();
  }

  /**
   * Shows the metrics of a second.
   * @param {import("./quality.js").Metrics} metrics
   */
  take(metrics) {
    const findings = this.#quality.take(metrics, performance.now());
    const [worst] = findings;
    const begins = worst !== undefined && this.#view.hidden;
    this.#view.hidden = !worst;
    if (!worst) return;
    const { text } = troubles[worst.trouble];
    if (this.#summary.textContent !== text) this.#summary.textContent = text;
    this.#figures.textContent = findings.map(({ trouble, figure }) => troubles[trouble].detail(figure)).join(" ");
    if (begins) this.#read(text);
  }
}
