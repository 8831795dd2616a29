// The form of page.html. The builder puts holdfast.mjs before this.

const form = document.querySelector("form"), result = document.querySelector("main"), button = form.querySelector("button");

/** holdfast.wasm, which stands in the page in gzip and base64. */
async function unpacked() {
  const packed = Uint8Array.from(atob(document.getElementById("wasm").textContent), character => character.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** The text of a file: in PEM as it is, else as a certificate in DER. */
async function textOf(file) {
  const data = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder().decode(data);
  if (data[0] !== 0x30 || text.includes("-----BEGIN ")) return text;
  return `-----BEGIN CERTIFICATE-----\n${btoa(binary(data)).replace(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
}

/** Bytes as the characters that btoa takes. */
const binary = data => Array.from(data, byte => String.fromCharCode(byte)).join("");

async function add(files, area) {
  const texts = await Promise.all([...files].map(textOf));
  area.value = [area.value.trimEnd(), ...texts.map(text => text.trim())].filter(text => text !== "").join("\n") + "\n";
}

/** What went wrong before there was an answer. */
function complaint(error) {
  const heading = document.createElement("h1");
  heading.className = "bad";
  heading.textContent = `✗ ${error.message}`;
  return [heading];
}

/** The answer to what the form asks, as the elements of the page that `holdfast verify --html` writes. */
function explained(holdfast) {
  const { chain, anchors, host, pins, time, purpose, rules } = Object.fromEntries(new FormData(form));
  const name = host.trim(), isServer = purpose === "server", words = pins.split("\n").map(pin => pin.trim()).filter(pin => pin);
  if (!chain.trim()) throw new TypeError("The chain is missing.");
  if (!anchors.trim()) throw new TypeError("The roots to trust are missing.");
  if (isServer && !name) throw new TypeError("The host is missing.");
  if (!isServer && (name || words.length > 0)) throw new TypeError("A host and pins go with a server.");
  const when = time === "" ? new Date() : new Date(`${time}Z`);
  const policy = holdfast.policy({ anchors, rules, pins: words.length > 0 ? { [name]: words } : {} });
  try {
    const { page } = policy.verify(chain, { purpose, time: when, page: true, ...(isServer ? { host: name } : {}) });
    return [...new DOMParser().parseFromString(page, "text/html").body.childNodes];
  } finally {
    policy.free();
  }
}

for (const label of form.querySelectorAll("label:has(input[type=file])")) {
  const area = label.querySelector("textarea"), input = label.querySelector("input");
  input.addEventListener("change", () => add(input.files, area).then(() => { input.value = ""; }));
  label.addEventListener("dragover", event => { event.preventDefault(); label.className = "dropping"; });
  label.addEventListener("dragleave", () => { label.className = ""; });
  label.addEventListener("drop", event => {
    event.preventDefault();
    label.className = "";
    add(event.dataTransfer.files, area);
  });
}

try {
  const holdfast = await load(await WebAssembly.compile(await unpacked()));
  form.addEventListener("submit", event => {
    event.preventDefault();
    try {
      result.replaceChildren(...explained(holdfast));
    } catch (error) {
      result.replaceChildren(...complaint(error));
    }
    result.scrollIntoView({ block: "start" });
  });
  button.disabled = false;
} catch (error) {
  result.replaceChildren(...complaint(error));
}
