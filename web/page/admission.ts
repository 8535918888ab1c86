// How this page gets the token: from the address that `retcon serve` prints, from this tab, or by proving that this browser had one.
// Nothing that is stored in the browser is of use to a server or a page at another address.
import { browserProof } from "../../src/protocol/over-http.ts"

const IN_TAB = "retcon-token"

interface BrowserKey {
  id: string
  pair: CryptoKeyPair
}

export class Admission {
  readonly #base: string
  #token: string | undefined
  #renewing: Promise<boolean> | undefined

  /** `base`: the address of the server, with a slash at its end. */
  constructor(base: string) {
    this.#base = base
  }

  get token(): string | undefined {
    return this.#token
  }

  /**
   * Takes the token out of the address, and so out of the history; or that of this tab; or asks for it. Contract: false if this browser
   * has no way to get it.
   */
  async enter(): Promise<boolean> {
    const given = tokenIn(location.hash)
    if (given === "") {
      this.#token = sessionStorage.getItem(IN_TAB) ?? undefined
      return this.#token !== undefined || this.#renew()
    }
    this.#keep(given)
    history.replaceState(null, "", location.pathname + location.search)
    return true
  }

  /** With the token. If the server has another one since its restart, asks for that and tries once more. */
  async fetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const asked = this.#token
    const response = await fetch(input, this.#signed(init))
    if (response.status !== 401 || !(asked !== this.#token || (await this.#renew()))) return response
    return fetch(input, this.#signed(init))
  }

  /** Makes this browser known to the server that has let it in. Contract: never rejects: without it, a restart asks for the address. */
  async remember(): Promise<void> {
    const key = await storedKey().catch(() => undefined)
    if (key !== undefined || globalThis.crypto?.subtle === undefined) return
    const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"])
    const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey)
    const answer = await this.#post("", { key: { kty, crv, x, y } })
    if (answer !== undefined) await storeKey({ id: String(answer.id), pair }).catch(() => undefined)
  }

  #signed(init: RequestInit): RequestInit {
    return { ...init, headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.#token}` } }
  }

  #keep(token: string): void {
    this.#token = token
    sessionStorage.setItem(IN_TAB, token)
  }

  /** Several requests may find at once that the token is old. */
  #renew(): Promise<boolean> {
    this.#renewing ??= this.#prove().finally(() => (this.#renewing = undefined))
    return this.#renewing
  }

  async #prove(): Promise<boolean> {
    const key = await storedKey().catch(() => undefined)
    if (key === undefined) return false
    const asked = await this.#post("/challenge", {})
    if (asked === undefined) return false
    const text = new TextEncoder().encode(browserProof(location.origin, String(asked.challenge)))
    const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key.pair.privateKey, text)
    const proof = { id: key.id, challenge: asked.challenge, signature: base64url(new Uint8Array(signature)) }
    const answer = await this.#post("/token", proof)
    // The server has forgotten this browser: the next token makes it known again.
    if (answer === undefined) await storeKey(undefined).catch(() => undefined)
    else this.#keep(String(answer.token))
    return answer !== undefined
  }

  /** Undefined if the server refuses or does not answer. */
  async #post(path: string, body: object): Promise<Record<string, unknown> | undefined> {
    const headers = { "content-type": "application/json" }
    const init = this.#signed({ method: "POST", body: JSON.stringify(body), headers })
    const response = await fetch(new URL(`api/browsers${path}`, this.#base), init).catch(() => undefined)
    return response?.ok === true ? ((await response.json()) as Record<string, unknown>) : undefined
  }
}

/** As if the page had been opened with this token. */
export function enterWith(token: string): void {
  sessionStorage.setItem(IN_TAB, token)
  location.reload()
}

/** Behind the `#`, so that it is never sent. Empty if there is none. */
export function tokenIn(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token") ?? ""
}

/** The token in what a person pastes: the address, or the token alone. */
export function pastedToken(text: string): string {
  const words = text.trim()
  return words.includes("#") ? tokenIn(words.slice(words.indexOf("#"))) : words
}

const STORE = "keys"
const NAME = "browser"

/** The private key can be used here, but not read. */
async function storedKey(): Promise<BrowserKey | undefined> {
  return withStore("readonly", (store) => store.get(NAME) as IDBRequest<BrowserKey | undefined>)
}

async function storeKey(key: BrowserKey | undefined): Promise<void> {
  const change = (store: IDBObjectStore): IDBRequest => (key === undefined ? store.delete(NAME) : store.put(key, NAME))
  await withStore("readwrite", change)
}

async function withStore<Value>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const opening = indexedDB.open("retcon", 1)
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(STORE))
  const database = await answered(opening)
  try {
    return await answered(work(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

function answered<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((settle, fail) => {
    request.addEventListener("success", () => settle(request.result))
    request.addEventListener("error", () => fail(request.error ?? new Error("The browser's store does not answer.")))
  })
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "")
}
