import assert from "node:assert/strict";
import test from "node:test";
import { messageParts, partsOf } from "../../../Clients/Web/js/meet/links.js";

const linked = (text) => partsOf(text).filter(({ address }) => address).map(({ text: each }) => each);

test("addresses of http, https and mailto are links, and the text around them stays text", () => {
  const texts = {
    "See https://example.org/a?b=1#c.": ["https://example.org/a?b=1#c"],
    "(http://example.org)": ["http://example.org"],
    "https://example.org/wiki/Bell_(music), and more": ["https://example.org/wiki/Bell_(music)"],
    "mailto:ada@example.org!": ["mailto:ada@example.org"],
    "HTTPS://EXAMPLE.ORG/X": ["HTTPS://EXAMPLE.ORG/X"],
    "one http://a.example two http://b.example": ["http://a.example", "http://b.example"],
    "https://пример.рф/ж": ["https://пример.рф/ж"],
  };
  for (const [text, links] of Object.entries(texts)) assert.deepEqual(linked(text), links, text);
});

test("addresses with other schemes, incomplete addresses and markup stay text", () => {
  const texts = [
    "javascript:alert(1)",
    "data:text/html,x",
    "https://",
    "mailto:nobody",
    "ftp://example.org",
    "xhttps:/example.org",
    "<img src=x onerror=alert(1)>",
  ];
  for (const text of texts) assert.deepEqual(linked(text), [], text);
  const [, link] = partsOf("a https://example.org/\u202egpj.exe");
  assert.equal(link.text, "https://example.org/", "no control of the direction is part of a link");
});

test("10,000 random texts lose no character, and each link has one of three schemes", () => {
  const pieces = ["http://", "https://", "mailto:", "javascript:", "a", "@", ".", ")", "(", " ", "\u202e", "👩🏽‍🚀", "<b>", "&", "\n", ":", "/"];
  let seed = 7;
  const next = () => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
  for (let round = 0; round < 10_000; round++) {
    const text = Array.from({ length: 12 }, () => pieces[Math.floor(next() * pieces.length)]).join("");
    const parts = partsOf(text);
    assert.equal(parts.map((part) => part.text).join(""), text);
    for (const { address } of parts) assert.ok(address === null || /^(https?|mailto):/.test(address), text);
  }
});

test("code in backticks is code without links, and an unfinished pair stays text", () => {
  const texts = {
    "Run `npm i` now": [["Run "], ["npm i", "line"], [" now"]],
    "```\nlet a = 1;\n  b();\n```": [["let a = 1;\n  b();", "block"]],
    "See:\n```js\nf(`x`)\n```\ndone": [["See:\n"], ["f(`x`)", "block"], ["done"]],
    "```one line```": [["one line", "block"]],
    "`https://a.example` https://b.example": [["https://a.example", "line"], [" "], ["https://b.example"]],
    "a ` b": [["a ` b"]],
    "`two\nlines`": [["`two\nlines`"]],
    "```": [["```"]],
    "``````": [["``````"]],
    "```\n```": [["```\n```"]],
    "`<img src=x onerror=alert(1)>`": [["<img src=x onerror=alert(1)>", "line"]],
  };
  for (const [text, expected] of Object.entries(texts)) {
    const parts = messageParts(text).map(({ text: each, code }) => (code ? [each, code] : [each]));
    assert.deepEqual(parts, expected, text);
  }
});

test("in 10,000 seeded texts with code, the parts are the text without some backticks", () => {
  const pieces = ["`", "```", "```js\n", "\n```", "é", "<b>", " ", "\n", "http://x.example", "\u202e", "👩🏽‍🚀"];
  let seed = 11;
  const next = () => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
  /** Returns a text without backticks, white space and names of languages. */
  const bare = (text) => text.replace(/[`\s]|js/g, "");
  let blocks = 0;
  for (let round = 0; round < 10_000; round++) {
    const text = Array.from({ length: 14 }, () => pieces[Math.floor(next() * pieces.length)]).join("");
    const parts = messageParts(text);
    assert.equal(bare(parts.map((part) => part.text).join("")), bare(text));
    for (const { code, address } of parts) assert.ok(!code || address === null);
    blocks += parts.filter(({ code }) => code === "block").length;
  }
  assert.ok(blocks > 1_000);
  const began = performance.now();
  messageParts("`".repeat(2_048));
  messageParts("```a".repeat(512));
  messageParts("`".repeat(1_000) + "x".repeat(1_000));
  messageParts(`\`\`\`${" ".repeat(2_045)}`);
  assert.ok(performance.now() - began < 200, "no text takes long");
});
