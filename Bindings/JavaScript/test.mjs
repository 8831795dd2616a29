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
  assert.deepEqual(names.filter(name => !all.includes(name.replace("wasi_snapshot_preview1.", ""))), []);
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

test("a log list counts for public anchors, as its policy demands", async () => {
  const input = name => readFile(new URL(`../../Tests/HoldfastToolTests/Golden/inputs/${name}`, import.meta.url));
  const [logged, other, anchors] = await Promise.all(["logged.pem", "not-logged.pem", "logged-root.pem"].map(input));
  const list = await readFile(new URL("../../Vectors/transparency/logs.json", import.meta.url));
  const question = { host: "www.example.com", time: new Date("2026-06-10T00:00:00Z") };
  const ask = (chain, logs, options, timestamps) => {
    const policy = holdfast.policy({ anchors, public: true, rules: "rfc5280", logs, ...options });
    try { return policy.verify(chain, { ...question, timestamps }); } finally { policy.free(); }
  };
  assert.equal(ask(logged, { list, demand: "require" }).json.transparency.result, "complies");
  assert.equal(ask(logged, { list, demand: "require" }).trusted, true);
  assert.equal(ask(other, { list }).json.transparency.result, "violates");
  assert.equal(ask(other, { list }).trusted, true);
  assert.equal(ask(other, { list, policy: "apple", demand: "require-soft-fail" }).code, "not_in_logs");
  assert.equal(ask(other, { list, demand: "require" }, { public: false }).trusted, true);
  assert.equal(ask(other).trusted, true);
  const [sent, found] = [new Uint8Array([0, 1, 2]), undefined].map(timestamps => ask(other, { list }, {}, timestamps).json.transparency);
  assert.notDeepEqual(sent, found);
});

test("a limit ends a question", () => {
  const verdict = limits => {
    const policy = holdfast.policy({ anchors: root, limits });
    try { return policy.verify(chain, { host, time }).verdict; } finally { policy.free(); }
  };
  for (const limits of [{}, { signatures: 2, steps: 100, work: 8_000_000, pathLength: 3, candidates: 5 }]) {
    assert.equal(verdict(limits), "trusted");
  }
  assert.equal(verdict({ signatures: 1 }), "exhausted");
  assert.equal(verdict({ work: 1 }), "exhausted");
  assert.notEqual(verdict({ pathLength: 1 }), "trusted");
});

test("a staple says what is revoked, and in a handshake it is the stapled response", async () => {
  const input = name => readFile(new URL(`../../Tests/HoldfastToolTests/Golden/inputs/${name}`, import.meta.url), "utf8");
  const ders = text => [...text.matchAll(/-----BEGIN [^-]+-----([^-]+)/g)].map(found => new Uint8Array(Buffer.from(found[1], "base64")));
  const policy = holdfast.policy({ anchors: await input("authority-root.pem"), rules: "rfc5280", revocation: "leaf" });
  const ask = async (name, answer) => policy.verify(await input(name), { purpose: "any", time: new Date("2026-11-21T13:40:40Z"),
    ...(answer ? { staple: ders(await input(answer))[0] } : {}) });
  assert.equal((await ask("good.pem", "answer-good.pem")).trusted, true);
  assert.equal((await ask("revoked.pem", "answer-revoked.pem")).code, "revoked");
  assert.equal((await ask("good.pem")).code, "revocation_unknown");
  assert.equal((await ask("revoked.pem")).code, "revocation_unknown");
  policy.free();
  const other = holdfast.policy({ anchors: root }), staple = new Uint8Array([0x30, 0]);
  assert.equal(other.verify(ders(chain), { host, time, handshake: true }).trusted, true);
  assert.match(other.verify(ders(chain), { host, time, handshake: true, staple }).reason, /stapled OCSP response/);
  assert.equal(other.verify(chain, { host, time, handshake: true }).verdict, "unreadable");
  other.free();
});

test("a wrong argument is an error of a type", () => {
  const policy = holdfast.policy({ anchors: root });
  for (const options of [{ hosts: host }, { host, time: "2026" }, { host, time: new Date(NaN) }, { host, time: 0.5 }, { host: 5 },
    { host, purpose: "toString" }, { host, page: 1 }, { host, staple: 5 }, { host, timestamps: null }, { host, handshake: 1 }]) {
    assert.throws(() => policy.verify(chain, options), TypeError, JSON.stringify(options));
  }
  for (const form of [5, null, [null], {}, [[]], new ArrayBuffer(4)]) assert.throws(() => policy.verify(form, { host }), TypeError);
  for (const options of [{ anchor: root }, { anchors: 5 }, { anchors: root, rules: 1 }, { anchors: root, requirePins: "yes" },
    { anchors: root, revocation: "no" }, { anchors: root, logs: { lists: "" } }, { anchors: root, logs: { list: "", demand: 1 } },
    { anchors: root, limits: { signature: 1 } }, { anchors: root, limits: { work: -1 } }, { anchors: root, limits: { work: 2 ** 32 } },
    { anchors: root, limits: { steps: 1.5 } }, { anchors: root, limits: { steps: "5" } }, { anchors: root, public: 1 }, { anchors: root, pins: { "a.example": [5] } }]) {
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
  for (const logs of [{}, { list: "{}" }, { list: "{}", policy: "opera" }]) {
    assert.throws(() => holdfast.policy({ anchors: root, logs }), HoldfastError);
  }
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
