import { mount } from "svelte"
import { makeApi } from "../src/client/api.ts"
import { connect } from "../src/client/connect.ts"
import type { SessionId } from "../src/model/id.ts"
import App from "./App.svelte"
import { askDoctor } from "./doctor/ask-doctor.ts"
import NoToken from "./NoToken.svelte"
import { hasToken, takeToken } from "./page/take-token.ts"
import { findInContents } from "./sessions/find-in-contents.ts"
import { voiceApi } from "./voice/voice-api.ts"
import "./page/page.css"

const target = document.getElementById("page")
if (target === null) throw new Error("index.html has no #page")
const token = takeToken({ location, history, storage: sessionStorage })
// The address of a restarted server may be opened in the tab that has the old one.
addEventListener("hashchange", () => hasToken(location.hash) && location.reload())
if (token === undefined) mount(NoToken, { target })
else {
  const url = new URL(".", location.href).href
  const host = connect({ url, token })
  // A hidden tab keeps no stream open.
  document.addEventListener("visibilitychange", () => (document.hidden ? host.pause() : host.resume()))
  const api = makeApi({ url, token, fetch: (input, init) => fetch(input, init) })
  const voiceOf = (session: string) => voiceApi(url, token, session)
  const find = (words: string, signal: AbortSignal) => findInContents(api, words, signal)
  const examine = (session: SessionId) => askDoctor(api, session)
  mount(App, { target, props: { host, voiceOf, find, examine } })
}
