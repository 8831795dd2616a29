// The tests of the module: HOLDFAST_WASM=holdfast.wasm node --test Bindings/JavaScript/test.mjs
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { HoldfastError, load } from "./holdfast.mjs";

const demo = name => new URL(`../../Vectors/demo/${name}`, import.meta.url);
const wasm = await WebAssembly.compile(await readFile(process.env.HOLDFAST_WASM ?? new URL("holdfast.wasm", import.meta.url)));
const [chain, root] = [await readFile(demo("chain.pem"), "utf8"), await readFile(demo("root.pem"), "utf8")];
const host = "www.demo.example", time = new Date("2026-11-21T00:00:00Z");
const holdfast = await load(wasm);
const pin = "sha256/MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=";

test("only a clock, random bytes and calls on open files, of which there are none, are imported", () => {
  const names = WebAssembly.Module.imports(wasm).map(({ module, name }) => `${module}.${name}`).sort();
  const all = ["clock_time_get", "fd_close", "fd_fdstat_get", "fd_seek", "fd_write", "random_get"];
  assert.deepEqual(names, all.map(name => `wasi_snapshot_preview1.${name}`));
});

test("a chain in PEM and the same in DER are trusted", () => {
  const policy = holdfast.policy({ anchors: root });
  const ders = [...chain.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)/g)].map(found => new Uint8Array(Buffer.from(found[1], "base64")));
  for (const form of [chain, ders, Buffer.from(chain)]) {
    const answer = policy.verify(form, { host, time });
    assert.equal(answer.trusted, true);
    assert.equal(answer.verdict, "trusted");
    assert.equal(answer.code, "");
    assert.match(answer.reason, /^valid for /);
    assert.equal(answer.json.verdict, "trusted");
    assert.ok(answer.validUntil > time);
    assert.equal(answer.page, undefined);
  }
  assert.equal(policy.verify(chain, { host }).json.input.time.slice(0, 4), String(new Date().getUTCFullYear()));
  policy.free();
});

test("a rejection has its reason, its code and its page", () => {
  const policy = holdfast.policy({ anchors: [root], pins: { "**.example": [pin] } });
  const answer = policy.verify(chain, { host, time, page: true });
  assert.equal(answer.verdict, "pinMismatch");
  assert.equal(answer.code, "pin_mismatch");
  assert.equal(answer.validUntil, null);
  assert.ok(answer.page.startsWith("<!DOCTYPE html>") && answer.page.includes("</svg>"));
  assert.ok(answer.logLine.includes(host));
  assert.equal(policy.verify(chain, { host: "https://a.example/", time }).code, "invalid_host");
  assert.equal(policy.verify([], { host, time }).code, "no_certificate");
  assert.equal(policy.verify("no certificate", { host, time }).verdict, "unreadable");
  policy.free();
});

test("a wrong argument is an error of a type", () => {
  const policy = holdfast.policy({ anchors: root });
  for (const options of [{ hosts: host }, { host, time: "2026" }, { host, time: new Date(NaN) }, { host, time: 0.5 }, { host: 5 },
    { host, purpose: "toString" }, { host, page: 1 }]) {
    assert.throws(() => policy.verify(chain, options), TypeError, JSON.stringify(options));
  }
  for (const form of [5, null, [null], {}, [[]], new ArrayBuffer(4)]) assert.throws(() => policy.verify(form, { host }), TypeError);
  for (const options of [{ anchor: root }, { anchors: 5 }, { anchors: root, rules: 1 }, { anchors: root, requirePins: "yes" },
    { anchors: root, revocation: "no" }, { anchors: root, pins: { "a.example": [5] } }]) {
    assert.throws(() => holdfast.policy(options), TypeError, JSON.stringify(options));
  }
  policy.free();
});

test("what cannot be used is an error with its status", () => {
  const status = (name, text) => error => error instanceof HoldfastError && error.status === name && text.test(error.message);
  assert.throws(() => holdfast.policy({ anchors: "no roots" }), status("HOLDFAST_NOT_USABLE", /./));
  assert.throws(() => holdfast.policy({ anchors: root, rules: "lax" }), status("HOLDFAST_NOT_USABLE", /webPKI/));
  assert.throws(() => holdfast.policy({ anchors: root, pins: { "a.example": "sha256/A" } }), status("HOLDFAST_NOT_USABLE", /a\.example/));
  assert.throws(() => holdfast.policy({ anchors: root, crls: "x" }), status("HOLDFAST_NOT_USABLE", /./));
  assert.throws(() => holdfast.policy({}).verify(chain, { host }), status("HOLDFAST_NOT_USABLE", /trusts nothing/));
  const policy = holdfast.policy({ anchors: root });
  assert.throws(() => policy.verify(chain), status("HOLDFAST_BAD_ARGUMENT", /./));
  assert.throws(() => policy.verify(chain, { host: "x".repeat(5000) }), status("HOLDFAST_TOO_LARGE", /./));
  assert.throws(() => policy.verify(chain, { host, time: 1e15 }), status("HOLDFAST_BAD_ARGUMENT", /./));
  policy.free();
  policy.free();
  assert.throws(() => policy.verify(chain, { host }), status("HOLDFAST_BAD_OBJECT", /./));
});

/** Loads the module, with exports that `change` returns. */
async function loadChanged(change) {
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...values) => ({ exports: change((await instantiate(...values)).exports) });
  try { return await load(wasm); } finally { WebAssembly.instantiate = instantiate; }
}

test("nothing stays in memory", async () => {
  let memory;
  const other = await loadChanged(exports => { memory = exports.memory; return exports; });
  const round = () => {
    const policy = other.policy({ anchors: root });
    policy.verify(chain, { host, time, page: true });
    assert.throws(() => policy.verify([chain, 5], { host }), TypeError);
    assert.throws(() => other.policy({ anchors: root, rules: "lax" }), HoldfastError);
    policy.free();
  };
  for (let count = 0; count < 30; count++) round();
  const before = memory.buffer.byteLength;
  for (let count = 0; count < 200; count++) round();
  assert.equal(memory.buffer.byteLength, before);
});

test("a module that has trapped is not asked again", async () => {
  let count = 0;
  const trap = () => { count++; throw new WebAssembly.RuntimeError("unreachable"); };
  const broken = await loadChanged(exports => ({ ...exports, holdfast_policy_ask: trap }));
  const policy = broken.policy({ anchors: root });
  for (let time = 0; time < 2; time++) {
    assert.throws(() => policy.verify(chain, { host, time }), { name: "HoldfastError", status: "HOLDFAST_ENDED" });
  }
  assert.equal(count, 1);
  policy.free();
});
