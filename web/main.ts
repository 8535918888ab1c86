import { mount } from "svelte"
import { connect } from "../src/client/connect.ts"
import App from "./App.svelte"
import NoToken from "./NoToken.svelte"
import { Admission, tokenIn } from "./page/admission.ts"
import { listensWhileHidden } from "./page/notifications.svelte.ts"
import { findInContents } from "./sessions/find-in-contents.ts"
import { voiceApi } from "./voice/voice-api.ts"
import "./page/page.css"

const target = document.getElementById("page")
if (target === null) throw new Error("index.html has no #page")
// The address of a restarted server may be opened in the tab that has the old one: a browser does not reload a page for that.
addEventListener("hashchange", () => tokenIn(location.hash) !== "" && location.reload())
const url = new URL(".", location.href).href
const admission = new Admission(url)
if (await admission.enter()) {
  let leaving = false
  addEventListener("pagehide", () => (leaving = true), { capture: true })
  addEventListener("pageshow", () => (leaving = false))
  // What is sent while the page is left is answered to nobody, but must arrive.
  const fetch: typeof globalThis.fetch = (input, init) => admission.fetch(input, { ...init, keepalive: leaving })
  const host = connect({ url, token: admission.token ?? "", fetch })
  // A hidden tab keeps no stream open, unless it is to say what waits.
  document.addEventListener("visibilitychange", () =>
    document.hidden && !listensWhileHidden() ? host.pause() : host.resume(),
  )
  const voiceOf = (session: string) => voiceApi(url, admission, session)
  const find = (words: string, signal: AbortSignal) => findInContents(host.library, words, signal)
  mount(App, { target, props: { host, voiceOf, find } })
  void admission.remember()
} else mount(NoToken, { target })
