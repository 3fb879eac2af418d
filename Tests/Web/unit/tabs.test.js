import assert from "node:assert/strict";
import test from "node:test";
import { Tabs } from "../../../Clients/Web/js/meet/tabs.js";

test("a tab detects another tab in the same meeting, and no tab in other meetings", async (context) => {
  const [first, second] = [new Tabs(() => undefined), new Tabs(() => undefined)];
  context.after(() => first.leave());
  assert.equal(await second.isElsewhere("m-1"), false);
  first.enter("m-1");
  assert.equal(await second.isElsewhere("m-1"), true);
  assert.equal(await second.isElsewhere("m-2"), false);
  first.leave();
  assert.equal(await second.isElsewhere("m-1"), false);
});

test("a move ends the meeting once in the other tab, and in no tab of another meeting", async (context) => {
  const replaced = [];
  const tabs = ["m-1", "m-2"].map((meeting) => new Tabs(() => replaced.push(meeting)));
  context.after(() => tabs.forEach((each) => each.leave()));
  tabs[0].enter("m-1");
  tabs[1].enter("m-2");
  const third = new Tabs(() => replaced.push("third"));
  third.moveHere("m-1");
  await third.isElsewhere("m-1");
  assert.deepEqual(replaced, ["m-1"]);
});
