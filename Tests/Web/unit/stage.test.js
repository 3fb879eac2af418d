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
 * Simulates ten minutes of speech in steps of 200 ms, and returns the times at which the tile of an
 * attendee moved.
 */
function moves(count, width, height, seed) {
  const [seats, random, people] = [new Seats(), seeded(seed), Array.from({ length: count }, (_, at) => `a-${at}`)];
  const { capacity } = placesOf({ width, height, count, layout: "grid" });
  const times = [];
  let [before, speaker, until, wasOutOfSight] = ["", people[0], 0, 0];
  for (let now = 0; now < 600_000; now += 200) {
    if (now >= until) [speaker, until] = [people[Math.floor(random() * count)], now + 300 + random() * 8_000];
    const order = seats.seat(people, [speaker], capacity, now);
    assert.deepEqual([...order].sort(), [...people].sort(), "everybody has one place");
    assert.equal(order[0], people[0], "the own place stays");
    if (before && order.join() !== before) times.push(now);
    before = order.join();
    wasOutOfSight += order.indexOf(speaker) >= capacity ? 1 : 0;
  }
  return { times, outOfSight: wasOutOfSight / 3_000, capacity };
}

test("in ten minutes of speech, no tile moves if all tiles fit, and at most one moves in 5 s otherwise", () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    for (const count of [9, 41]) assert.deepEqual(moves(count, 1100, 720, seed).times, [], `${count} people`);
    const { times, capacity, outOfSight } = moves(41, 336, 560, seed);
    assert.ok(capacity < 41 && times.length > 10, `${times.length} exchanges`);
    for (const [at, time] of times.entries()) if (at) assert.ok(time - times[at - 1] >= EXCHANGE_MS);
    assert.ok(outOfSight < 0.5, "most of the time the speaker is in sight");
  }
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
