import { mount } from "svelte"
import { connect } from "../src/client/connect.ts"
import App from "./App.svelte"
import NoToken from "./NoToken.svelte"
import { findInContents } from "./sessions/find-in-contents.ts"
import { voiceApi } from "./voice/voice-api.ts"
import "./page/page.css"

const STORED = "retcon-token"

const target = document.getElementById("page")
if (target === null) throw new Error("index.html has no #page")
const token = takeToken({ location, history, storage: sessionStorage })
// The address of a restarted server may be opened in the tab that has the old one.
addEventListener("hashchange", () => hasToken(location.hash) && location.reload())
if (token === undefined) mount(NoToken, { target })
else {
  const url = new URL(".", location.href).href
  let leaving = false
  addEventListener("pagehide", () => (leaving = true), { capture: true })
  addEventListener("pageshow", () => (leaving = false))
  // What is sent while the page is left is answered to nobody, but must arrive.
  const host = connect({ url, token, fetch: (input, init) => fetch(input, { ...init, keepalive: leaving }) })
  // A hidden tab keeps no stream open.
  document.addEventListener("visibilitychange", () => (document.hidden ? host.pause() : host.resume()))
  const voiceOf = (session: string) => voiceApi(url, token, session)
  const find = (words: string, signal: AbortSignal) => findInContents(host.library, words, signal)
  mount(App, { target, props: { host, voiceOf, find } })
}

interface BrowserTab {
  location: { hash: string; pathname: string; search: string }
  history: { replaceState(data: unknown, unused: string, url: string): void }
  storage: { getItem(key: string): string | null; setItem(key: string, value: string): void }
}

function tokenIn(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token")
}

/**
 * The key to the server: in the fragment of the address that `retcon serve` prints, so it is never sent in a request
 * line. Whether the address has a token. A browser does not reload a page if only the fragment has changed.
 */
function hasToken(hash: string): boolean {
  return (tokenIn(hash) ?? "") !== ""
}

/** Contract: keeps a token from the address for this tab, and removes it from the address and so from the history. */
function takeToken({ location, history, storage }: BrowserTab): string | undefined {
  const token = tokenIn(location.hash)
  if (token === null || token === "") return storage.getItem(STORED) ?? undefined
  storage.setItem(STORED, token)
  history.replaceState(null, "", location.pathname + location.search)
  return token
}
