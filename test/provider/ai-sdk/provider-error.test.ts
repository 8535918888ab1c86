// From whatever a vendor answers or the SDK throws to a kind, words without a key, and whether another try may help.
import { describe, expect, test } from "vitest"
import { failedBy } from "../../../src/provider/ai-sdk/provider-error.ts"
import { Key } from "../../../src/provider/catalogue/key.ts"

const SECRET = "sk-ant-0123456789abcdef"
const BLAME = { provider: "acme", baseUrl: "https://api.acme.test", key: new Key(SECRET) }

function refused(statusCode: number, body: unknown, headers: Record<string, string> = {}): Error {
  const responseBody = typeof body === "string" ? body : JSON.stringify(body)
  return Object.assign(new Error("Bad status"), { statusCode, responseBody, responseHeaders: headers })
}

const brief = (error: unknown) => {
  const { problem, again } = failedBy(error, BLAME)
  return [problem.kind, again, problem.message]
}

describe("an answer with a status", () => {
  test.each([
    [400, "invalid", false],
    [401, "auth", false],
    [402, "auth", false],
    [403, "auth", false],
    [404, "invalid", false],
    [408, "server", true],
    [409, "invalid", false],
    [422, "invalid", false],
    [429, "rate-limit", true],
    [499, "invalid", false],
    [500, "server", true],
    [503, "server", true],
    [529, "server", true],
  ])("%i is of the kind %s; retrying may help: %s", (status, kind, again) => {
    const error = refused(status, { error: { message: "No." } })
    expect(brief(error)).toEqual([kind, again, `acme answered ${status}: No.`])
    expect(failedBy(error, BLAME).problem.status).toBe(status)
  })

  test.each([
    ["API key not valid. Please pass one.", "auth"],
    ["API key expired.", "auth"],
    ["Your credit balance is too low.", "auth"],
    ["Something else.", "invalid"],
  ])("400 %j is of the kind %s", (message, kind) => {
    expect(brief(refused(400, { error: { message } }))[0]).toBe(kind)
  })

  test("an empty account is not retried, and neither is what the vendor says not to retry", () => {
    expect(brief(refused(429, { error: { message: "No.", code: "insufficient_quota" } }))[1]).toBe(false)
    expect(brief(refused(429, { error: { message: "See your billing page" } }))[1]).toBe(false)
    expect(brief(refused(500, { error: { message: "No." } }, { "x-should-retry": "false" }))[1]).toBe(false)
    expect(brief(refused(500, { error: { message: "No." } }, { "x-should-retry": "true" }))[1]).toBe(true)
  })

  test.each([
    ["an object", { error: { message: "No." } }, "No."],
    ["a list", [{ error: { message: "No." } }], "No."],
    ["a text as the error", { error: "No." }, "No."],
    ["the object itself", { message: "No." }, "No."],
    ["what is no JSON", "<html>", "Bad status"],
    ["nothing", "", "Bad status"],
  ])("%s as its body: the vendor's words where there are any", (_, body, said) => {
    expect(brief(refused(404, body))[2]).toBe(`acme answered 404: ${said}`)
  })
})

describe("an error within a stream", () => {
  test.each([
    ["overloaded_error", 529, "server"],
    ["api_error", 500, "server"],
    ["server_error", 500, "server"],
    ["timeout_error", 504, "server"],
    ["rate_limit_error", 429, "rate-limit"],
    ["rate_limit_exceeded", 429, "rate-limit"],
    ["insufficient_quota", 429, "rate-limit"],
    ["authentication_error", 401, "auth"],
    ["permission_error", 403, "auth"],
    ["billing_error", 402, "auth"],
    ["not_found_error", 404, "invalid"],
    ["invalid_request_error", 400, "invalid"],
    ["request_too_large", 413, "overflow"],
    ["context_length_exceeded", 400, "overflow"],
  ])("%s is what %i would have been", (type, status, kind) => {
    for (const detail of [
      { type, message: "No." },
      { code: type, message: "No." },
    ]) {
      expect(failedBy({ error: detail }, BLAME).problem).toMatchObject({ status, kind })
    }
  })

  test("a number as its code is a status from 400 on", () => {
    expect(failedBy({ error: { code: 400, message: "No." } }, BLAME).problem.status).toBe(400)
    expect(failedBy({ error: { code: 399, message: "No." } }, BLAME).problem.status).toBeUndefined()
  })

  test("its type says more than a status of 500, and less than any other", () => {
    const body = { error: { type: "overloaded_error", message: "No." } }
    expect(failedBy(refused(500, body), BLAME).problem.status).toBe(529)
    expect(failedBy(refused(503, body), BLAME).problem.status).toBe(503)
    expect(failedBy(refused(500, {}), BLAME).problem.status).toBe(500)
  })
})

describe("a connection", () => {
  const failed = (code: string) =>
    new Error("fetch failed", { cause: Object.assign(new Error(`${code} it`), { code }) })

  test("that cannot be made is retried, with the cause in words", () => {
    expect(brief(failed("ENOTFOUND"))).toEqual(["network", true, "acme could not be reached: ENOTFOUND it"])
    expect(brief(failed("ECONNREFUSED"))[1]).toBe(true)
  })

  test("that this machine refuses is not: no server runs here", () => {
    const here = { ...BLAME, baseUrl: "http://127.0.0.1:11434" }
    expect(failedBy(failed("ECONNREFUSED"), here).again).toBe(false)
    expect(failedBy(failed("ECONNRESET"), here).again).toBe(true)
  })

  test("that breaks while the answer comes has cut it off", () => {
    expect(failedBy(failed("ECONNRESET"), BLAME, "answer").problem).toEqual({
      kind: "network",
      message: "The answer of acme was cut off: ECONNRESET it",
    })
  })
})

describe("the words", () => {
  const words = (message: string) => failedBy(refused(404, { error: { message } }), BLAME).problem.message

  test("contain no key, no password of a URL and no control character", () => {
    expect(words(`wrong: ${SECRET}`)).not.toContain(SECRET)
    expect(words("at https://me:pass@host/x")).toBe("acme answered 404: at https://host/x")
    expect(words("a\u001b[31m\r\nb")).toBe("acme answered 404: a [31m b")
    const headers = { "x-team": "team-secret-42" }
    expect(failedBy(refused(404, { error: "team-secret-42" }), { ...BLAME, headers }).problem.message).not.toContain(
      "42",
    )
  })

  test("are at most 600 characters, and never none", () => {
    const said = (length: number) => words("x".repeat(length)).replace("acme answered 404: ", "")
    expect(said(600)).toBe("x".repeat(600))
    expect(said(601)).toBe(`${"x".repeat(599)}…`)
    expect(words(" ")).toBe("acme answered 404: no reason given")
  })

  test("are the SDK's own where it could not send the request at all", () => {
    expect(brief(new Error("No such tool"))).toEqual(["invalid", false, "acme: No such tool"])
    expect(brief("odd")).toEqual(["invalid", false, "acme: odd"])
    expect(brief(null)).toEqual(["invalid", false, "acme: null"])
    expect(brief(undefined)).toEqual(["invalid", false, "acme: undefined"])
    expect(brief({ message: "an object" })).toEqual(["invalid", false, "acme: an object"])
  })
})
