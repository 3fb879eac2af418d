import assert from "node:assert/strict";
import test from "node:test";

import { SheetHistory } from "../../../Clients/Web/js/meet/sheet-history.js";

/** A browser's history with one entry of the page. */
class Page extends EventTarget {
  entries = [null];
  at = 0;
  history = {
    pushState: (state) => {
      this.entries.splice(this.at + 1);
      this.entries.push(state);
      this.at += 1;
    },
  };

  go(steps) {
    this.at += steps;
    this.dispatchEvent(Object.assign(new Event("popstate"), { state: this.entries[this.at] }));
  }
}

function made() {
  const page = new Page();
  const history = new SheetHistory(new AbortController().signal, page);
  const closed = [];
  const open = (...names) => names.forEach((name) => history.opened(name, () => closed.push(name)));
  return { page, history, closed, open };
}

test("the Back button closes the newest sheet first", () => {
  const { page, closed, open } = made();
  open("chat", "captions");
  page.go(-1);
  assert.deepEqual(closed, ["captions"]);
  page.go(-1);
  assert.deepEqual(closed, ["captions", "chat"]);
  assert.equal(page.at, 0);
});

test("a step back over two history entries closes two sheets", () => {
  const { page, closed, open } = made();
  open("chat", "captions");
  page.go(-2);
  assert.deepEqual(closed, ["captions", "chat"]);
});

test("a sheet that is closed without the Back button leaves its history entry to the next sheet", () => {
  const { page, history, closed, open } = made();
  open("chat");
  history.closed("chat");
  open("people");
  assert.equal(page.entries.length, 2);
  page.go(-1);
  assert.deepEqual(closed, ["people"]);
});

test("the Forward button closes nothing", () => {
  const { page, closed, open } = made();
  open("chat");
  page.go(-1);
  page.go(1);
  assert.deepEqual(closed, ["chat"]);
  open("people");
  assert.equal(page.entries.length, 2);
});

test("a history entry that another page made counts as an entry without sheets", () => {
  const { page, closed, open } = made();
  open("chat");
  page.dispatchEvent(Object.assign(new Event("popstate"), { state: { sheets: "many" } }));
  assert.deepEqual(closed, ["chat"]);
});
