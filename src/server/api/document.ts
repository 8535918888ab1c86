// The API as an OpenAPI 3.1 document, made from the schemas that requests are checked against.
import { z } from "zod"
import type { Json, JsonObject } from "../../model/json.ts"
import type { ApiRoute, Described } from "./route.ts"
import { PROBLEM } from "./schemas.ts"

export function openApi(routes: readonly ApiRoute[], version: string): JsonObject {
  const paths: { [path: string]: JsonObject } = {}
  for (const route of routes)
    paths[`/api${route.path}`] = { ...paths[`/api${route.path}`], [route.method]: operation(route) }
  return {
    openapi: "3.1.0",
    info: { title: "retcon", version, summary: "Time travel for coding agents, over HTTP." },
    servers: [{ url: "http://127.0.0.1:4180", description: "Where `retcon serve` listens by default." }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: { Problem: schemaOf(PROBLEM, "output") },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  }
}

function operation(route: ApiRoute): JsonObject {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const inPath = names.map((name): Json => ({ name, in: "path", required: true, schema: { type: "string" } }))
  const responses = Object.entries(route.answers).map(([status, answer]) => [status, response(answer)] as const)
  return {
    operationId: route.name,
    summary: route.summary,
    ...(route.about === undefined ? {} : { description: route.about }),
    ...(inPath.length === 0 && route.query === undefined
      ? {}
      : { parameters: [...inPath, ...(route.query === undefined ? [] : queryParameters(route.query))] }),
    ...(route.body === undefined
      ? {}
      : { requestBody: { content: { "application/json": { schema: schemaOf(route.body, "input") } } } }),
    responses: {
      ...Object.fromEntries(responses),
      default: {
        description:
          route.problems === undefined ? "A problem." : `A problem: ${route.problems.join(", ")}, or a general one.`,
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  }
}

function response(answer: Described): JsonObject {
  if ("type" in answer) return { description: answer.about, content: { [answer.type]: {} } }
  const content = { "application/json": { schema: schemaOf(answer.schema, "output") } }
  return {
    description: answer.about,
    content: answer.streams === true ? { ...content, "text/event-stream": {} } : content,
  }
}

function queryParameters(query: z.ZodType): Json[] {
  const { properties = {}, required = [] } = schemaOf(query, "input") as {
    properties?: { [name: string]: JsonObject }
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }))
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const made = z.toJSONSchema(schema, { io, unrepresentable: "any" })
  const { $schema: _, ...rest } = made
  return rest as unknown as JsonObject
}
