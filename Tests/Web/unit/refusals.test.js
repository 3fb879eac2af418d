import assert from "node:assert/strict";
import test from "node:test";
import { sameDevice } from "../../../Clients/Web/js/meet/device-choice.js";
import { refusalOf } from "../../../Clients/Web/js/meet/refusals.js";

const named = (name) => Object.assign(new Error(name), { name });
const here = { isSecure: true, mayAsk: true };

test("each error of a browser has one cause", () => {
  for (const name of ["NotAllowedError", "SecurityError"]) assert.equal(refusalOf(named(name), here), "blocked");
  for (const name of ["NotFoundError", "OverconstrainedError"]) assert.equal(refusalOf(named(name), here), "missing");
  for (const name of ["NotReadableError", "AbortError"]) assert.equal(refusalOf(named(name), here), "busy");
});

test("a page over plain HTTP cannot ask for devices, and a frame's policy may forbid the request", () => {
  assert.equal(refusalOf(undefined, { isSecure: false, mayAsk: true }), "insecure");
  assert.equal(refusalOf(named("NotAllowedError"), { isSecure: true, mayAsk: false }), "framed");
  assert.equal(refusalOf(named("NotReadableError"), { isSecure: true, mayAsk: false }), "busy");
});

test("a stored device is found by its id, then by its label, or not at all", () => {
  const list = [{ port: "a", label: "Headset" }, { port: "b", label: "Built-in" }];
  const kept = (port, label) => JSON.stringify({ port, label });
  assert.equal(sameDevice(list, kept("b", "Headset")), list[1]);
  assert.equal(sameDevice(list, kept("gone", "Headset")), list[0]);
  assert.equal(sameDevice(list, kept("gone", "Other")), null);
  for (const broken of ["", "none", "null", "{", "[]"]) assert.equal(sameDevice(list, broken), null);
});
