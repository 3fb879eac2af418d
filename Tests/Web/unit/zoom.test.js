import assert from "node:assert/strict";
import test from "node:test";
import { MOST_SCALE, moved, noZoom, scaled, within } from "../../../Clients/Web/js/meet/zoom.js";

const view = { width: 800, height: 450 };

test("zooming keeps the point under the pointer in its place", () => {
  const point = { x: 100, y: -50 };
  const zoom = scaled(scaled(noZoom, 2, point, view), 1.5, point, view);
  const under = { x: (point.x - zoom.x) / zoom.scale, y: (point.y - zoom.y) / zoom.scale };
  assert.ok(Math.abs(under.x - point.x) < 1e-9 && Math.abs(under.y - point.y) < 1e-9);
});

test("a screen without zoom does not move, and the user cannot zoom out further", () => {
  assert.deepEqual(moved(noZoom, { x: 50, y: 50 }, view), noZoom);
  assert.deepEqual(scaled({ scale: 2, x: 400, y: 225 }, 0.1, { x: 300, y: 0 }, view), noZoom);
});

test("at any scale and after any move, no edge of the screen is inside the view", () => {
  let zoom = noZoom;
  for (let step = 0; step < 500; step += 1) {
    const point = { x: (step * 37) % 400, y: -((step * 53) % 225) };
    zoom = step % 3 ? moved(zoom, { x: point.y * 3, y: point.x * 2 }, view) : scaled(zoom, step % 2 ? 1.9 : 0.8, point, view);
    assert.ok(zoom.scale >= 1 && zoom.scale <= MOST_SCALE);
    assert.ok((view.width * zoom.scale) / 2 - Math.abs(zoom.x) >= view.width / 2 - 1e-6);
    assert.ok((view.height * zoom.scale) / 2 - Math.abs(zoom.y) >= view.height / 2 - 1e-6);
  }
  const small = within({ scale: 3, x: 800, y: 450 }, { width: 100, height: 100 });
  assert.deepEqual(small, { scale: 3, x: 100, y: 100 });
});
