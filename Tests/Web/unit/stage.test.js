import assert from "node:assert/strict";
import test from "node:test";
import { EXCHANGE_MS, Seats } from "../../../Clients/Web/js/meet/seats.js";
import { LayoutChoice, placesOf, smallOwnPlace } from "../../../Clients/Web/js/meet/stage-layout.js";

const SIZES = [[1440, 900], [820, 1180], [360, 740], [740, 360], [320, 256], [3840, 2160], [300, 120]];
const COUNTS = [1, 2, 4, 9, 25, 40, 41, 200];

const apart = (one, other) =>
  one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y || other.y + other.height <= one.y;

test("tiles are 16:9, inside the stage and disjoint at every size, count and layout", () => {
  for (const [width, height] of SIZES)
    for (const count of COUNTS)
      for (const layout of ["grid", "speaker", "content"]) {
        const { rects, capacity } = placesOf({ width, height, count, layout, hasMain: true });
        const where = `${count} in ${width}x${height}, ${layout}`;
        assert.equal(rects.length, count, where);
        assert.ok(capacity >= 1 && capacity <= count, where);
        for (const [at, rect] of rects.entries()) {
          assert.ok(Math.abs(rect.width / rect.height - 16 / 9) < 0.05, `${where}: ${rect.width}x${rect.height}`);
          assert.ok(rect.x >= 0 && rect.y >= 0 && rect.x + rect.width <= width, where);
          if (at < capacity) assert.ok(rect.y + rect.height <= height, `${where}: tile ${at}`);
          for (const other of rects.slice(at + 1)) assert.ok(apart(rect, other), where);
        }
      }
});

test("a grid fills its stage, and no other number of columns would give larger tiles", () => {
  const { rects } = placesOf({ width: 3840, height: 2160, count: 40, layout: "grid" });
  const bottom = Math.max(...rects.map(({ y, height }) => y + height));
  const top = Math.min(...rects.map(({ y }) => y));
  assert.ok(bottom - top > 0.75 * 2160, `forty tiles fill ${bottom - top} of 2160 pixels`);
  const [one] = placesOf({ width: 1600, height: 900, count: 1, layout: "grid" }).rects;
  assert.deepEqual(one, { x: 0, y: 0, width: 1600, height: 900 });
  assert.deepEqual(placesOf({ width: 0, height: 0, count: 2, layout: "grid" }).capacity, 0);
});

test("small tiles use the space beside the large tile, and are at most half as wide as the large tile", () => {
  for (const [width, height] of SIZES)
    for (const count of [2, 3, 9, 41]) {
      const { rects } = placesOf({ width, height, count, layout: "speaker", hasMain: true });
      const [main, ...others] = rects;
      const where = `${count} in ${width}x${height}`;
      // A strip that is 150 pixels high has tiles of this width, even in a small window.
      const most = Math.max(main.width / 2, (150 * 16) / 9) + 1;
      for (const other of others) assert.ok(other.width <= most, where);
    }
  const desk = placesOf({ width: 1400, height: 728, count: 9, layout: "speaker", hasMain: true }).rects;
  const [large, small] = [desk[0].width, Math.max(...desk.slice(1).map((rect) => rect.width))];
  assert.ok(large + small + 8 > 1400 - 12, `tiles of ${large} and ${small} pixels leave a part of 1400 free`);
  const portrait = placesOf({ width: 796, height: 1030, count: 9, layout: "speaker", hasMain: true });
  const [main, ...others] = portrait.rects;
  assert.equal(main.width, 796);
  assert.ok(others[0].width >= 240, `the small tiles are ${others[0].width} pixels wide`);
  assert.equal(portrait.capacity, 9);
});

test("the user's own small tile stays inside the stage", () => {
  for (const [width, height] of SIZES) {
    const own = smallOwnPlace(width, height);
    assert.ok(own.x + own.width <= width && own.y + own.height <= height && own.width >= 48, `${width}x${height}`);
  }
});

/** Returns a generator of numbers from 0 to 1 that are the same in each run. */
function seeded(seed) {
  return () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return seed / 2 ** 32;
  };
}

/**
 * Simulates ten minutes of speech in steps of 200 ms.
 * @returns the tiles that moved, with the times, and the part of the time in which the speaker was
 *   out of sight
 */
function moves({ count, width, height, layout, seed, ownPicture = "tile" }) {
  const [seats, random, people] = [new Seats(), seeded(seed), Array.from({ length: count }, (_, at) => `a-${at}`)];
  const stage = { people, pin: null, layout, ownPicture, width, height };
  const moved = [];
  let [before, speaker, until, outOfSight] = [null, people[0], 0, 0];
  for (let now = 0; now < 600_000; now += 200) {
    if (now >= until) [speaker, until] = [people[Math.floor(random() * count)], now + 300 + random() * 8_000];
    const places = seats.places({ ...stage, speakers: [speaker] }, now);
    assert.deepEqual([...places.keys()].sort(), [...people].sort(), "everybody has one place");
    const rects = new Map(people.map((id) => [id, JSON.stringify(places.get(id) ?? null)]));
    assert.equal(new Set(rects.values()).size, count, "nobody shares a place");
    if (before && rects.get(people[0]) !== before.get(people[0])) assert.fail("the own place stays");
    const ids = people.filter((id) => before && before.get(id) !== rects.get(id));
    if (ids.length) moved.push({ now, ids, large: people.filter((id) => places.get(id)?.width === widest(places)) });
    const { y = Infinity, height: high = 0 } = places.get(speaker) ?? {};
    outOfSight += y + high > height ? 1 : 0;
    before = rects;
  }
  return { moved, outOfSight: outOfSight / 3_000 };
}

/** The seeds of the simulations, each with a way to show the user's own picture. */
const RUNS = [[1, "tile"], [2, "tile"], [3, "tile"], [4, "small"], [5, "hidden"]];

const widest = (places) => Math.max(...[...places.values()].map((rect) => rect?.width ?? 0));

/** Asserts that each change exchanges two tiles, and that 5 s pass between two changes. */
function assertExchanges(moved, where) {
  for (const [at, { now, ids }] of moved.entries()) {
    assert.equal(ids.length, 2, `${where}: ${ids} moved at ${now}`);
    if (at) assert.ok(now - moved[at - 1].now >= EXCHANGE_MS, `${where}: ${now - moved[at - 1].now} ms`);
  }
}

test("in ten minutes of speech, no tile of the grid moves if all tiles fit, and otherwise two tiles exchange at most once in 5 s", () => {
  for (const [seed, ownPicture] of RUNS) {
    const grid = { layout: "grid", seed, ownPicture };
    for (const count of [9, 41]) assert.deepEqual(moves({ ...grid, count, width: 1100, height: 720 }).moved, [], `${count} people`);
    const { moved, outOfSight } = moves({ ...grid, count: 41, width: 336, height: 560 });
    assert.ok(moved.length > 10, `${moved.length} exchanges`);
    assertExchanges(moved, "grid");
    assert.ok(outOfSight < 0.5, "most of the time the speaker is in sight");
  }
});

test("in ten minutes of speech, a change of the large tile moves only two tiles, at most once in 5 s", () => {
  for (const [seed, ownPicture] of RUNS)
    for (const [count, width, height] of [[9, 1100, 720], [41, 1100, 720], [9, 336, 560], [41, 336, 560]]) {
      const { moved, outOfSight } = moves({ count, width, height, layout: "speaker", seed, ownPicture });
      const where = `${count} people in ${width}x${height}, own picture ${ownPicture}`;
      assert.ok(moved.length > 10, `${where}: ${moved.length} exchanges`);
      assertExchanges(moved, where);
      assert.ok(outOfSight < 0.5, where);
      // If all tiles fit, only the large tile changes.
      if (count === 9 && width > height) for (const { ids, large } of moved) assert.ok(ids.includes(large[0]), where);
    }
});

test("the place of the user's own small tile is the first, even after the user pins this tile", () => {
  const seats = new Seats();
  const stage = { people: ["me", "a", "b", "c"], speakers: [], layout: "speaker", ownPicture: "tile", width: 1100, height: 720 };
  const order = (pin, now) => [...seats.places({ ...stage, pin }, now).keys()];
  assert.deepEqual(order(null, 0), ["a", "me", "b", "c"]);
  assert.deepEqual(order("c", 1), ["c", "me", "b", "a"]);
  assert.deepEqual(order("me", 2), ["me", "c", "b", "a"]);
  assert.deepEqual(order("b", 3), ["b", "me", "c", "a"]);
  assert.deepEqual([...seats.places({ ...stage, pin: null, layout: "grid" }, 4).keys()], ["me", "a", "b", "c"]);
});

test("people keep their places when others join and leave", () => {
  const seats = new Seats();
  assert.deepEqual(seats.seat(["me", "a", "b"], [], 9, 0), ["me", "a", "b"]);
  assert.deepEqual(seats.seat(["me", "b", "c"], ["c"], 9, 10), ["me", "b", "c"]);
});

test("a pinned tile has the large place, even after the tile's attendee was away", () => {
  const seats = new Seats();
  const people = ["me", "a", "b"];
  assert.equal(seats.main(people, [], null, 0), "a");
  assert.equal(seats.main(people, ["b"], null, 0), "b", "the first exchange does not wait");
  assert.equal(seats.main(people, ["a"], null, 4_000), "b");
  assert.equal(seats.main(people, ["a"], null, 6_000), "a");
  assert.equal(seats.main(people, ["a"], "b", 6_100), "b");
  assert.equal(seats.main(["me", "a"], ["a"], "b", 7_000), "a");
  assert.equal(seats.main(people, ["a"], "b", 8_000), "b");
  assert.equal(seats.main(["me"], ["me"], null, 20_000), null, "nobody is large who is alone");
});

test("the end of a share restores the chosen layout", () => {
  const choice = new LayoutChoice("speaker");
  choice.share(true);
  assert.equal(choice.layout, "content");
  assert.equal(choice.next(), "grid");
  choice.share(false);
  assert.deepEqual([choice.layout, choice.chosen], ["speaker", "speaker"]);
  choice.share(true);
  assert.equal(choice.layout, "content", "each share begins large");
  choice.share(false);
  assert.equal(choice.next(), "grid");
  assert.equal(new LayoutChoice("nonsense").layout, "grid");
});
