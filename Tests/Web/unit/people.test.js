import assert from "node:assert/strict";
import test from "node:test";
import { Hands } from "../../../Clients/Web/js/meet/hands.js";
import { peopleOf } from "../../../Clients/Web/js/meet/people.js";
import { isFound } from "../../../Clients/Web/js/search.js";

const entry = (attendeeId, isMuted = false) => [attendeeId, { attendeeId, displayName: attendeeId.toUpperCase(), isMuted }];
const raised = (senderAttendeeId, timestampMs, isRaised = true) => ({ senderAttendeeId, timestampMs, json: () => ({ raised: isRaised }) });

test("people with raised hands come first, then the user, then the others in the order of arrival", () => {
  const roster = new Map([entry("a"), entry("b", true), entry("me"), entry("c", true), entry("b#content")]);
  const people = peopleOf({ roster, ownId: "me", hands: ["c", "b"], speakers: ["a", "b"], cameras: new Set(["a"]) });
  assert.deepEqual(people.map(({ id, hand }) => [id, hand]), [["c", 1], ["b", 2], ["me", 0], ["a", 0]]);
  assert.deepEqual(people.filter(({ shares }) => shares).map(({ id }) => id), ["b"]);
  assert.deepEqual(people.filter(({ hasCamera }) => hasCamera).map(({ id }) => id), ["a"]);
  assert.deepEqual(people.filter(({ speaks }) => speaks).map(({ id }) => id), ["a"], "who is muted does not speak");
});

test("hands are in the server's order, and a repeated hand keeps its place", () => {
  const hands = new Hands();
  assert.equal(hands.take(raised("late", 300)), true);
  assert.equal(hands.take(raised("early", 100)), true);
  hands.set("me", true, 200);
  assert.equal(hands.take(raised("early", 900)), false);
  assert.deepEqual(hands.inOrder, ["early", "me", "late"]);
  hands.take(raised("early", 950, false));
  hands.take(raised("early", 960));
  assert.deepEqual(hands.inOrder, ["me", "late", "early"]);
  hands.forget("me");
  assert.deepEqual(hands.inOrder, ["late", "early"]);
});

test("a hand that was sent again keeps its first time for attendees who join later", () => {
  const again = (senderAttendeeId, timestampMs, sinceMs) => ({ senderAttendeeId, timestampMs, json: () => ({ raised: true, sinceMs }) });
  const late = new Hands();
  late.take(raised("second", 200_000));
  assert.equal(late.take(again("first", 250_000, 10_000)), true);
  assert.deepEqual(late.inOrder, ["first", "second"]);
  for (const sinceMs of ["x", -1, NaN, null, 999_999]) {
    const hands = new Hands();
    hands.take(raised("second", 200_000));
    hands.take(again("liar", 250_000, sinceMs));
    assert.deepEqual(hands.inOrder, ["second", "liar"], `${sinceMs}`);
  }
});

const lowered = (timestampMs, payload) => ({ timestampMs, json: () => payload });

test("a host lowers single hands or all hands, but no hand that was raised later", () => {
  const hands = new Hands();
  hands.set("me", true, 100);
  for (const [id, at] of [["a", 100], ["b", 110], ["c", 300]]) hands.take(raised(id, at));
  hands.lower(lowered(200, { attendeeIds: ["a", "c", "nobody", 7] }));
  assert.deepEqual(hands.inOrder, ["me", "b", "c"]);
  assert.equal(hands.take(raised("a", 150)), false, "this message is older than the host's");
  assert.equal(hands.take(raised("a", 310)), true);
  hands.lower(lowered(305, { all: true }));
  assert.deepEqual(hands.inOrder, ["a"]);
  assert.equal(hands.take(raised("late", 304)), false, "this message is older than the host's");
  assert.equal(hands.take(raised("late", 306)), true);
});

test("an unreadable message on the topic for lowering hands has no effect", () => {
  const hands = new Hands();
  hands.take(raised("a", 100));
  for (const payload of [null, 7, {}, { all: "yes" }, { attendeeIds: "a" }, { attendeeIds: [null] }]) {
    hands.lower(lowered(200, payload));
  }
  assert.deepEqual(hands.inOrder, ["a"]);
});

test("a search finds names in any case, with or without accents", () => {
  assert.ok(isFound("Łukasz Gómez", " gomez "));
  assert.ok(isFound("محمد عبد الله", "عبد"));
  assert.ok(isFound("Ada", ""));
  assert.ok(!isFound("Ada", "grace"));
  assert.ok(!isFound("Ada", ".*"));
});
