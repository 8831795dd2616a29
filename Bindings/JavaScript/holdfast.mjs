// Calls the functions of holdfast.h in holdfast.wasm. holdfast.d.mts describes what is exported.
const purposes = { server: 1, client: 2, peer: 3, email: 4, code: 5, time: 6, any: 7 };
const demands = { ignored: 1, given: 2, leaf: 3, required: 4 }, logDemands = { report: 1, "require-soft-fail": 2, require: 3 };
const verdicts = ["", "trusted", "rejected", "pinMismatch", "exhausted", "unreadable"];
const earliest = -(2n ** 63n), bounds = ["signatures", "steps", "work", "pathLength", "candidates"];

export class HoldfastError extends Error {
  constructor(status, problem) { Object.assign(super(problem || status), { name: "HoldfastError", status }); }
}
const refuse = problem => { throw new TypeError(problem); };
const number = (table, name) => Object.hasOwn(table, name) ? table[name] : refuse(`unknown word: ${name}`);
const list = (value = []) => Array.isArray(value) ? value : [value];
const count = (value = 0) => value === value >>> 0 ? value : refuse("no whole number below 2^32");
const flag = (value = false) => typeof value === "boolean" ? Number(value) : refuse("neither true nor false");
const bytes = value => typeof value === "string" ? new TextEncoder().encode(value)
  : value instanceof Uint8Array ? value : refuse("neither a text nor a Uint8Array");
const seconds = time => time === undefined ? earliest : Number.isSafeInteger(time) ? BigInt(time)
  : time instanceof Date ? seconds(Math.floor(time / 1000)) : refuse("neither a Date nor seconds since 1970");
const check = (options, ...names) => Object.keys(options).every(name => names.includes(name) || refuse(`no option ${name}`));

export async function load(wasm) {
  let exports, hasEnded = false;
  const view = () => new DataView(exports.memory.buffer);
  const array = (place, size) => new Uint8Array(exports.memory.buffer, place >>> 0, size);
  const write = (start, words) => words.forEach((word, index) => view().setUint32(start + 4 * index, word, true));
  const text = (place, size = array(place, 64).indexOf(0)) => new TextDecoder().decode(array(place, size));
  // A module that has trapped, for example because memory ran out, is not called again.
  const ended = why => { hasEnded = true; throw new HoldfastError("HOLDFAST_ENDED", `the module has ended: ${why}`); };
  const call = (name, ...values) => {
    if (hasEnded) ended("load it again");
    try { return exports[name](...values); } catch (error) { return ended(error.message); }
  };
  const free = (name, value) => hasEnded || call(name, value);
  // Lends memory: `room` for a number of bytes, and `copy` for a value, with its size.
  function lend(body) {
    const places = [], room = size => places[places.push(call("malloc", size + 1)) - 1] || refuse("memory has run out");
    const put = (data, place = room(data.length)) => { array(place, data.length).set(data); return [place, data.length]; };
    const copy = value => value === undefined ? [0, 0] : put(bytes(value));
    try { return body(room, copy); } finally { places.forEach(place => free("free", place)); }
  }

  function policy(options = {}) {
    check(options, "anchors", "public", "rules", "pins", "requirePins", "crls", "revocation", "logs", "limits");
    let policy = 0;
    const end = () => { free("holdfast_policy_free", policy); policy = 0; };
    const succeed = status => status === 0 || lend(room => {
      const problem = room(4096), size = call("holdfast_policy_copy_problem", policy, problem, 4096);
      throw new HoldfastError(text(call("holdfast_status_text", status)), text(problem, Math.min(size, 4095)));
    });
    const set = (name, ...values) => succeed(call(`holdfast_policy_${name}`, policy, ...values));
    function verify(chain, options = {}) {
      check(options, "host", "email", "purpose", "time", "staple", "timestamps", "handshake", "page");
      const { host, email, purpose = "server", time, staple, timestamps, handshake, page } = options;
      return lend((room, copy) => {
        const parts = list(chain).map(part => copy(part ?? null)), name = copy(purpose === "email" ? email : host);
        const files = room(8 * parts.length), question = room(56), place = room(4);
        const more = [...copy(staple), ...copy(timestamps)], flags = flag(handshake) || 2;  // Without a handshake: files.
        write(files, parts.flat());
        write(question, [56, number(purposes, purpose), flags, ...name, 0, 0, 0, files, parts.length, ...more]);
        view().setBigInt64(question + 24, seconds(time), true);
        succeed(call("holdfast_policy_ask", policy, question, place));
        const answer = view().getInt32(place, true);
        try { return read(answer, place, page); } finally { free("holdfast_answer_free", answer); }
      });
    }
    lend((room, copy) => {
      const place = room(24), { anchors, rules, pins = {}, requirePins, crls, revocation, logs = {}, limits = {} } = options;
      const { list: logList, policy: program = "chrome", demand = "report" } = logs;
      check(logs, "list", "policy", "demand"), check(limits, ...bounds), succeed(call("holdfast_policy_new", place));
      policy = view().getInt32(place, true);
      try {
        for (const data of list(anchors)) set("add_anchors", ...copy(data), flag(options.public));
        if (rules !== undefined) set("set_rules", ...copy(rules));
        for (const host of Object.keys(pins)) for (const pin of list(pins[host])) set("add_pin", ...copy(host), ...copy(pin));
        set("require_pins", flag(requirePins));
        for (const data of list(crls)) set("add_crls", ...copy(data));
        if (revocation !== undefined) set("set_revocation", number(demands, revocation));
        if (options.logs !== undefined) set("set_log_list", ...copy(logList), ...copy(program), number(logDemands, demand));
        set("set_limits", (write(place, [24, ...bounds.map(name => count(limits[name]))]), place));
      } catch (error) { end(); throw error; }
    });
    return { verify, free: end };
  }
  function read(answer, place, page) {
    const of = name => call(`holdfast_answer_${name}`, answer), end = of("valid_until");
    const borrow = which => text(call("holdfast_answer_borrow_text", answer, which, place), view().getUint32(place, true));
    return {
      trusted: of("is_trusted") === 1, verdict: verdicts[of("verdict")], reason: borrow(1), summary: borrow(2),
      logLine: borrow(3), code: borrow(4), json: JSON.parse(borrow(5)), ...(flag(page) ? { page: borrow(6) } : {}),
      validUntil: end === earliest ? null : new Date(Number(end) * 1000),
    };
  }
  const clock_time_get = (_, __, place) => (view().setBigUint64(place, BigInt(Date.now()) * 1_000_000n, true), 0);
  const random_get = (place, size) => (crypto.getRandomValues(array(place, size)), 0), none = () => 8;  // No file is open.
  const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
  const wasi = { clock_time_get, random_get, fd_close: none, fd_fdstat_get: none, fd_seek: none, fd_write: none };
  exports = (await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi })).exports; call("_initialize");
  return { version: text(call("holdfast_version")), policy };
}
