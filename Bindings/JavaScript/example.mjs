// Says whether a server is trusted, and why not: node example.mjs HOST[:PORT] ROOTS.pem [PIN…]
//
// The handshake takes any certificate, and nothing is sent before the verdict.
import { readFile } from "node:fs/promises";
import tls from "node:tls";
import { load } from "./holdfast.mjs";

const [address, roots, ...pins] = process.argv.slice(2);
const [host, port = "443"] = address.split(":");
const holdfast = await load(await readFile(new URL("holdfast.wasm", import.meta.url)));
const policy = holdfast.policy({ anchors: await readFile(roots), pins: pins.length > 0 ? { [host]: pins } : {} });

const socket = tls.connect({ host, port: Number(port), servername: host, rejectUnauthorized: false }, () => {
  const chain = [];
  let next = socket.getPeerX509Certificate();
  while (next && chain.length < 16) {
    chain.push(next.raw);
    next = next.issuerCertificate;
  }
  const answer = policy.verify(chain, { host });
  console.log(answer.trusted ? "trusted:" : "not trusted:", answer.reason);
  socket.destroy();
  policy.free();
  process.exitCode = answer.trusted ? 0 : 1;
});
