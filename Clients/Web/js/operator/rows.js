/** Updates rows of lists and tables in place, so that an element with the focus keeps the focus. */

/**
 * Updates a list so that it shows these values. Removes rows whose values are no longer in
 * `values`, adds rows for new values, and updates all rows.
 * @template T
 * @param {HTMLElement} list
 * @param {readonly T[]} values
 * @param {(value: T) => string} keyOf
 * @param {(value: T) => HTMLElement} makeRow
 * @param {(row: HTMLElement, value: T) => void} update
 */
export function show(list, values, keyOf, makeRow, update) {
  const rows = new Map([...list.children].map((row) => [/** @type {HTMLElement} */ (row).dataset["key"] ?? "", row]));
  const keys = new Set(values.map(keyOf));
  for (const [key, row] of rows) if (!keys.has(key)) row.remove();
  /** @type {Element | null} */
  let before = null;
  for (const value of values) {
    const key = keyOf(value);
    const row = /** @type {HTMLElement} */ (rows.get(key) ?? makeRow(value));
    row.dataset["key"] = key;
    update(row, value);
    /** @type {Element | null} */
    const place = before ? before.nextElementSibling : list.firstElementChild;
    if (place !== row) list.insertBefore(row, place);
    before = row;
  }
}

/**
 * Sets an element's text, if the element's text differs.
 * @param {Element | null | undefined} element
 * @param {string} text
 */
export function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}
