// Traces what goes over the wire: each request in full, and each response's status. Hides headers that may be keys.
import { type JsonObject, parseJson } from "../../model/json.ts"
import type { Trace } from "../../model/trace.ts"
import type { Fetch } from "./wire.ts"

/** The SDK or retcon sets these; a header that a person configured may be a key. */
const SHOWN = /^(?:content-type|user-agent|anthropic-version|anthropic-beta|accept)$/i

export function tracedFetch(fetch: Fetch, trace: Trace): Fetch {
  return async (url, init) => {
    const parsed = typeof init?.body === "string" ? parseJson(init.body) : undefined
    const body = parsed?.ok === true ? parsed.value : null
    trace({
      type: "request",
      url: withoutKey(url instanceof Request ? url.url : url.toString()),
      headers: headersOf(init?.headers),
      body,
    })
    try {
      const response = await fetch(url, init)
      const type = response.headers.get("content-type") ?? ""
      const text = response.ok ? {} : { text: await response.clone().text() }
      trace({ type: "response", status: response.status, contentType: type, ...text })
      return response
    } catch (error) {
      trace({ type: "response", problem: error instanceof Error ? error.message : String(error) })
      throw error
    }
  }
}

function headersOf(headers: RequestInit["headers"]): JsonObject {
  const all = [...new Headers(headers)]
  return Object.fromEntries(all.map(([name, value]) => [name, SHOWN.test(name) ? value : "[hidden]"]))
}

function withoutKey(url: string): string {
  return url.replace(/([?&]key=)[^&]*/, "$1[hidden]").replace(/\/\/[^/@]+@/, "//")
}
