import { expect, test } from "vitest"
import { openApi } from "../../src/server/api/document.ts"
import { ROUTES } from "../../src/server/routes/all-routes.ts"
import { apiPage, type Document } from "./api-page.ts"

const document = openApi(ROUTES, "0") as unknown as Document

test("docs/api.md says what the endpoints take and answer: npm run api-docs makes it", async () => {
  await expect(apiPage(document)).toMatchFileSnapshot("../../docs/api.md")
})

test("every endpoint has its own name, and an answer", () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  expect(operations).toHaveLength(ROUTES.length)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const { responses, summary } of operations) {
    expect(Object.keys(responses).some((status) => status.startsWith("20"))).toBe(true)
    expect(summary).toMatch(/^[A-Z].*[^.]$/)
  }
})

test("what a POST does not know, it refuses: no misspelt field is ignored", () => {
  for (const { method, body, name } of ROUTES) {
    if (method !== "post" || body === undefined) continue
    expect([name, body.safeParse({ misspelt: true, answer: "once" }).success]).toEqual([name, false])
  }
})
