// Answers a question on each line of standard input with a document: node browser_node.mjs holdfast.wasm
//
// The lines are those of c_door.py; null stands for a policy that cannot be made.
import { readFile } from "node:fs/promises";
import readline from "node:readline";
import { HoldfastError, load } from "../../Bindings/JavaScript/holdfast.mjs";

const holdfast = await load(await readFile(process.argv[2]));
const ders = texts => texts.map(text => new Uint8Array(Buffer.from(text, "base64")));

function document({ chain, anchors, rules, crls, host, purpose, time }) {
  const revocation = crls ? { crls: ders(crls), revocation: "leaf" } : {};
  let policy;
  try {
    policy = holdfast.policy({ anchors: ders(anchors), rules, ...revocation });
    return policy.verify(ders(chain), { host, purpose, time: new Date(time) }).json;
  } catch (error) {
    if (error instanceof HoldfastError && error.status !== "HOLDFAST_ENDED") return null;
    throw error;
  } finally {
    policy?.free();
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(document(JSON.parse(line))));
}
