import assert from "node:assert/strict";
import test from "node:test";
import { DECLINED_MS, UnmuteRequests } from "../../../Clients/Web/js/meet/unmute-requests.js";

test("the page shows only one of several repeated requests to unmute", () => {
  const requests = new UnmuteRequests();
  assert.deepEqual([0, 1, 60_000].map((now) => requests.take(true, now)), [true, false, false]);
});

test("a user who is not muted sees no request to unmute", () => {
  assert.equal(new UnmuteRequests().take(false, 0), false);
});

test("after a user has declined, requests have no effect for half a minute", () => {
  const requests = new UnmuteRequests();
  requests.take(true, 0);
  requests.decline(1_000);
  assert.equal(requests.take(true, 999 + DECLINED_MS), false);
  assert.equal(requests.take(true, 1_000 + DECLINED_MS), true);
});

test("after a user has unmuted, the page shows the next request immediately", () => {
  const requests = new UnmuteRequests();
  requests.take(true, 0);
  requests.fulfil();
  assert.equal(requests.take(true, 1), true);
});
