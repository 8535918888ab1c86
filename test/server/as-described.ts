// Whether an answer is as the API's document says: tests look at every answer with it.
import { expect } from "vitest"
import { PROBLEM } from "../../src/server/api/schemas.ts"
import { ROUTES } from "../../src/server/routes/all-routes.ts"

export interface JsonAnswer {
  status: number
  type: string | null
  body: unknown
}

export function expectAsDescribed(method: string, path: string, { status, type, body }: JsonAnswer): void {
  const asked = `${method} ${path} ${status}`
  if (status >= 400) {
    expect([asked, type]).toEqual([asked, "application/problem+json"])
    expect([asked, problemsOf(PROBLEM, body)]).toEqual([asked, []])
    expect([asked, (body as { status: number }).status]).toEqual([asked, status])
    return
  }
  const answer = routeOf(method, path)?.answers[status]
  if (answer === undefined || !("schema" in answer)) throw new Error(`No such answer is described: ${asked}`)
  expect([asked, type]).toEqual([asked, "application/json"])
  expect([asked, problemsOf(answer.schema, body)]).toEqual([asked, []])
}

type Schema = typeof PROBLEM | { safeParse: (typeof PROBLEM)["safeParse"] }

function problemsOf(schema: unknown, body: unknown): string[] {
  const parsed = (schema as Schema).safeParse(body)
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)
}

function routeOf(method: string, path: string) {
  const { pathname } = new URL(path, "http://here")
  return ROUTES.find(
    (route) =>
      route.method === method.toLowerCase() &&
      new RegExp(`^/api${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(pathname),
  )
}
