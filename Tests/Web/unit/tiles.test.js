import assert from "node:assert/strict";
import test from "node:test";
import { VideoTileController } from "../../../Clients/Web/js/carillon/video/tile-controller.js";
import { FakeTrack, installWebRTC, ME } from "./support.js";

installWebRTC();

/** Returns tiles, the calls of their observers, and the requests to the server. */
function tileBench() {
  const [told, sent] = [[], []];
  const tiles = new VideoTileController(ME, (groupId, isPaused) => sent.push([groupId, isPaused]));
  for (const what of ["Add", "Remove", "Pause", "Resume"]) {
    tiles.observers.add({ [`videoTileDid${what}`]: ({ tileId, pauseState }) => told.push([what, tileId, pauseState]) });
  }
  tiles.observers.add({ videoTileSizeDidChange: (state) => told.push(["Size", state.tileId, state.videoStreamContentWidth]) });
  const show = (...receptions) =>
    tiles.showRemote(
      receptions.map(([groupId, isPaused = false, isPausedByUser = false]) => ({
        groupId,
        attendeeId: `a-${groupId}`,
        isPaused,
        isPausedByUser,
      })),
      (groupId) => ({ id: `track-${groupId}` }),
    );
  return { tiles, told, sent, show };
}

/** An element that shows video. */
class View extends EventTarget {
  srcObject = null;
  videoWidth = 0;
  videoHeight = 0;

  resize(width, height) {
    [this.videoWidth, this.videoHeight] = [width, height];
    this.dispatchEvent(new Event("resize"));
  }
}

test("remote tiles follow the received videos, and the local tile shows the camera", () => {
  const { tiles, told, show } = tileBench();
  tiles.showLocal(new FakeTrack());
  show([5], [6]);
  show([6]);
  tiles.showLocal(null);
  tiles.showLocal(null);
  assert.deepEqual(told.map(([what, tileId]) => [what, tileId]), [["Add", 1], ["Add", 2], ["Add", 3], ["Remove", 2], ["Remove", 1]]);
  assert.deepEqual(tiles.states.map(({ attendeeId, isLocalTile }) => [attendeeId, isLocalTile]), [["a-6", false]]);
  show([7]);
  assert.equal(tiles.states[0].tileId, 4, "a new group gets a new tile id");
});

test("a video that begins again gets its tile id again", () => {
  const { tiles, told, show } = tileBench();
  tiles.showLocal(new FakeTrack());
  show([5], [6]);
  show();
  show([7]);
  show([7], [6], [5]);
  assert.deepEqual(tiles.states.map(({ tileId, attendeeId }) => [tileId, attendeeId]).slice(1), [[4, "a-7"], [3, "a-6"], [2, "a-5"]]);
  show();
  // The controller keeps the ids of the 256 tiles that ended last.
  for (let groupId = 100; groupId < 355; groupId++) show([groupId]);
  show([7]);
  assert.equal(tiles.states[1].tileId, 260);
  show([354]);
  assert.equal(tiles.states[1].tileId, 259);
  assert.equal(told.filter(([what]) => what === "Add").length, 1 + 2 + 1 + 2 + 255 + 2);
});

test("a tile plays in at most one element, and an element plays at most one tile", () => {
  const { tiles, told, show } = tileBench();
  show([1], [2]);
  const [one, other] = [new View(), new View()];
  tiles.bind(one, 1);
  one.resize(640, 360);
  one.resize(640, 360);
  tiles.bind(one, 2);
  assert.equal(one.srcObject.tracks[0].id, "track-2");
  tiles.bind(other, 2);
  assert.deepEqual([one.srcObject, other.srcObject.tracks[0].id], [null, "track-2"]);
  one.resize(10, 10);
  tiles.unbind(2);
  assert.equal(other.srcObject, null);
  assert.equal(tiles.states.length, 2, "the tile stays");
  tiles.bind(one, 1);
  show([2]);
  assert.equal(one.srcObject, null, "a tile that ends leaves its element");
  tiles.bind(one, 99);
  assert.deepEqual(told.filter(([what]) => what === "Size"), [["Size", 1, 640]]);
});

test("the end of a pause by the network does not end a pause by the user, nor the reverse", () => {
  const { tiles, told, sent, show } = tileBench();
  show([1, true]);
  assert.deepEqual(told, [["Add", 1, 2]], "a tile that begins paused has no pause callback");
  show([1, false]);
  tiles.pause(1, true);
  tiles.pause(1, true);
  show([1, true]);
  tiles.pause(1, false);
  show([1, false]);
  tiles.pause(1, false);
  assert.deepEqual(told.slice(1), [["Resume", 1, 0], ["Pause", 1, 1], ["Pause", 1, 2], ["Resume", 1, 0]]);
  assert.deepEqual(sent, [[1, true], [1, true], [1, false], [1, false]]);
  tiles.showLocal(new FakeTrack());
  tiles.pause(2, true);
  tiles.pause(99, true);
  assert.equal(sent.length, 4, "the local tile and unknown ones are not paused");
});

test("a tile that the user paused stays paused after a reconnect, until the user resumes it", () => {
  const { tiles, told, sent, show } = tileBench();
  show([1, true, true]);
  show([1, false, true]);
  assert.deepEqual(told, [["Add", 1, 1]]);
  tiles.pause(1, false);
  assert.deepEqual([told.at(-1), sent], [["Resume", 1, 0], [[1, false]]]);
});
