import assert from "node:assert/strict";
import test from "node:test";
import { hostTokenOfAddress, linkTo, meetingOfAddress, meetingOfText, newMeetingName } from "../../../Clients/Web/js/meet/meeting-name.js";

const TOKEN = "AZaz09-_".repeat(11) + "abc";

test("a host's link names the meeting and has the token", () => {
  for (const name of ["tea", "a&b", "Tee um vier", "host=x", "🍵"]) {
    const link = linkTo(new URL("https://meet.test/"), name);
    assert.equal(meetingOfAddress(new URL(link)), name);
    assert.equal(hostTokenOfAddress(new URL(link)), "");
    const hostLink = new URL(`${link}&host=${TOKEN}`);
    assert.equal(meetingOfAddress(hostLink), name);
    assert.equal(hostTokenOfAddress(hostLink), TOKEN);
    assert.equal(meetingOfText(hostLink.href), name);
  }
});

test("a link from an embedded page opens the whole page", () => {
  const address = new URL("https://meet.test/embed?origin=https%3A%2F%2Fapp.example#x");
  assert.equal(linkTo(address, "tea"), "https://meet.test/#tea");
});

test("a link with a malformed token has no token", () => {
  for (const fragment of ["tea&host=", "tea&host=a b", "tea&host=a&x", "&HOST=abc", ""]) {
    assert.equal(hostTokenOfAddress(new URL(`https://meet.test/#${fragment}`)), "", fragment);
  }
});

test("new meeting names end in ten random characters from a set of 32", () => {
  const names = Array.from({ length: 2_000 }, newMeetingName);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z]+-[a-z]+-[2-9a-km-z]{10}$/);
  for (let at = 0; at < 10; at += 1) {
    const seen = new Set(names.map((name) => name.slice(-10)[at]));
    assert.equal(seen.size, 32, `character ${at}`);
  }
});
