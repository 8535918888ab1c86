// Which requests are accepted: those of this server's own page and of programs. A foreign name that resolves to this address
// (DNS rebinding) counts as another site.
import { problem } from "../answer/problem.ts"

export interface AllowedNames {
  /** Allowed values of `Host`, such as 127.0.0.1:4000. */
  hosts: readonly string[]
  /** Allowed values of `Origin`, such as http://127.0.0.1:4000. */
  origins: readonly string[]
}

/** Undefined if allowed. Refuses a browser that got here through another site's name. */
export function checkHost(request: Request, { hosts }: AllowedNames): Response | undefined {
  const host = (request.headers.get("host") ?? new URL(request.url).host).toLowerCase()
  if (hosts.includes(host)) return undefined
  const detail = "This server does not answer to that name: another site may have sent your browser here."
  const advice = `Use the address that \`retcon serve\` printed: ${hosts[0] ?? ""}`
  return problem({ status: 403, code: "wrong-host", detail, advice })
}

/** Undefined unless the request comes from another site's page. Programs send no `Origin`. */
export function checkOrigin({ headers }: Request, { origins }: AllowedNames): Response | undefined {
  const origin = headers.get("origin")
  const site = headers.get("sec-fetch-site")
  if (origin === null ? site !== "cross-site" && site !== "same-site" : origins.includes(origin)) return undefined
  const detail = "This request comes from a page of another site."
  return problem({
    status: 403,
    code: "wrong-origin",
    detail,
    advice: "Only this server's own page may send requests.",
  })
}
