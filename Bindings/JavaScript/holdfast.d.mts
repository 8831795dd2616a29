/** Compiles `holdfast.wasm`, from its bytes or a module of it. Each call has memory of its own. */
export function load(wasm: BufferSource | WebAssembly.Module): Promise<Holdfast>;

export interface Holdfast {
  /** The version of the library. */
  readonly version: string;
  /** Makes a policy. */
  policy(options: PolicyOptions): Policy;
}

/** A text is taken as UTF-8. */
export type Bytes = string | Uint8Array;

/** What is trusted, and how strictly. An option that is not known is an error. */
export interface PolicyOptions {
  /** Certificates in PEM or DER, or the store of a root program. There are no roots without them. */
  anchors: Bytes | readonly Bytes[];
  /** Whether the anchors are roots of the web, to which `logs` apply. A root program's store says so itself. */
  public?: boolean;
  /** `webPKI` by default, which is what browsers enforce; `rfc5280` is for CAs of your own. */
  rules?: "webPKI" | "rfc5280" | "apple" | "strict" | "strictRFC5280";
  /** The pins of each pattern of hosts, in any notation. One of them must be on a valid path. */
  pins?: Readonly<Record<string, string | readonly string[]>>;
  /** Whether hosts without pins are rejected. */
  requirePins?: boolean;
  /** CRLs in PEM or DER. */
  crls?: Bytes | readonly Bytes[];
  /** Which revocation status must be known: `given` rejects what is revoked, and nothing else. */
  revocation?: "ignored" | "given" | "leaf" | "required";
  /** Checks that certificates below public anchors are in public logs. */
  logs?: Logs;
  limits?: Limits;
}

export interface Logs {
  /** A log list in JSON, version 3. Nothing is fetched: an old list is "not evaluated". */
  list: Bytes;
  /** Whose policy must be fulfilled: `chrome` by default. */
  policy?: "chrome" | "apple" | "mozilla";
  /**
   * What happens without enough timestamps: the answer says so (`report`, the default), or the server is rejected, and
   * with `require` also if the list is too old to tell.
   */
  demand?: "report" | "require-soft-fail" | "require";
}

/** Limits on the work of one question, as in holdfast.h, which has the defaults. */
export interface Limits {
  signatures?: number;
  steps?: number;
  work?: number;
  pathLength?: number;
  candidates?: number;
}

export interface Policy {
  /**
   * Judges a chain: the leaf first, the other certificates in any order. Each part is a text in PEM, which may have
   * several certificates, or one certificate in DER.
   */
  verify(chain: Bytes | readonly Bytes[], question: Question & { page: true }): Answer & { page: string };
  verify(chain: Bytes | readonly Bytes[], question: Question): Answer;
  /** Frees the policy, which then answers nothing. Answers stay as they are. */
  free(): void;
}

export interface Question {
  /** What the certificate is for: `server` by default, and then `host` must be there, as for `peer`. */
  purpose?: "server" | "client" | "peer" | "email" | "code" | "time" | "any";
  /** A DNS name or an address. */
  host?: string;
  /** The address, with the purpose `email`. */
  email?: string;
  /** When: a date or seconds since 1970; now by default. */
  time?: Date | number;
  /** An OCSP response in DER. */
  staple?: Uint8Array;
  /** The data of the TLS extension 18. */
  timestamps?: Uint8Array;
  /**
   * Whether the chain, which is in DER then, was sent in a handshake that is going on, and `staple` was stapled in it: a
   * certificate that demands a stapled response is rejected without one.
   */
  handshake?: boolean;
  /** Whether the answer has the page. */
  page?: boolean;
}

export interface Answer {
  readonly trusted: boolean;
  readonly verdict: "trusted" | "rejected" | "pinMismatch" | "exhausted" | "unreadable";
  /** What an engineer would say, in one sentence. */
  readonly reason: string;
  /** What the users of a program can be told, in one sentence. */
  readonly summary: string;
  /** One line with the host and the code. */
  readonly logLine: string;
  /** A stable identifier, such as `expired`; empty if trusted. */
  readonly code: string;
  /** The document that `holdfast verify --json` prints. */
  readonly json: Record<string, unknown>;
  /** Until when the verdict may be used again; null if not at all. */
  readonly validUntil: Date | null;
  /** Every path that was tried, as the page that `holdfast verify --html` writes, with times in UTC. */
  readonly page?: string;
}

/**
 * A policy cannot be made, or a question not be asked: `status` is the name in holdfast.h. HOLDFAST_ENDED means that
 * the module has trapped, for example because memory ran out; it must be loaded again. An option of a wrong type is a
 * TypeError.
 */
export class HoldfastError extends Error {
  readonly status: string;
}
