import assert from "node:assert/strict";
import test from "node:test";
import { commandOf, HeldTalk, isTalkKey } from "../../../Clients/Web/js/meet/shortcuts.js";
import { keyHelp } from "../../../Clients/Web/js/meet/words/keys.js";

const press = (key, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, ...more });
const free = { areSingleKeysOn: true, isTyping: false, isDialogOpen: false };

test("single keys act while no text field has the focus and no dialog is open", () => {
  const commands = { m: "mute", V: "camera", h: "hand", c: "chat", P: "people", l: "layout", F: "fullScreen", "?": "help" };
  for (const [key, command] of Object.entries(commands)) {
    assert.equal(commandOf(press(key), free), command);
    for (const not of [{ isTyping: true }, { isDialogOpen: true }, { areSingleKeysOn: false }]) {
      assert.equal(commandOf(press(key), { ...free, ...not }), null, `${key} ${JSON.stringify(not)}`);
    }
    assert.equal(commandOf(press(key, { repeat: true }), free), null);
    assert.equal(commandOf(press(key, { altKey: true }), free), null);
  }
  assert.equal(commandOf(press("x"), free), null);
  assert.equal(commandOf(press("constructor"), free), null);
});

test("Ctrl+D and Ctrl+E act even in a text field, and the browser gets other combinations", () => {
  const typing = { areSingleKeysOn: false, isTyping: true, isDialogOpen: true };
  assert.equal(commandOf(press("d", { ctrlKey: true }), typing), "mute");
  assert.equal(commandOf(press("e", { metaKey: true }), typing), "camera");
  assert.equal(commandOf(press("c", { ctrlKey: true }), free), null);
  assert.equal(isTalkKey(press("t", { ctrlKey: true }), free), false);
  assert.equal(isTalkKey(press("T"), free), true);
  assert.equal(isTalkKey(press("t"), { ...free, isTyping: true }), false);
});

test("a held key opens a closed microphone, and the key's release closes the microphone once", () => {
  const talk = new HeldTalk();
  assert.equal(talk.press({ isMuted: true, isMutedByOther: false }), true);
  assert.equal(talk.press({ isMuted: false, isMutedByOther: false }), false, "keys repeat");
  assert.deepEqual([talk.release(), talk.release()], [true, false]);
  assert.equal(talk.press({ isMuted: false, isMutedByOther: false }), false, "an open microphone stays open");
  assert.equal(talk.release(), false);
  assert.equal(talk.press({ isMuted: true, isMutedByOther: true }), false, "somebody else's mute wins");
});

test("the help names every key", () => {
  const named = keyHelp.flatMap(({ keys }) => keys);
  assert.deepEqual([...named].sort(), ["?", "C", "Ctrl+D", "Ctrl+E", "F", "H", "L", "M", "P", "T", "V"]);
});
