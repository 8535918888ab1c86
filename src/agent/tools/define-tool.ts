// Makes a tool from a zod schema and a few words: what most tools have in common.
import { z } from "zod"
import type { Grant } from "../../model/grant.ts"
import type { Json, JsonObject, Parsed } from "../../model/json.ts"
import { pathGrants } from "../permission/grants.ts"
import {
  absolute,
  type EffectKind,
  type Effects,
  type Preview,
  shown,
  type Tool,
  type ToolContext,
  type ToolResult,
  type WorkRoot,
} from "../port/tool.ts"

const OUTPUT_LIMIT = 30_000

export interface ToolDefinition<Schema extends z.ZodType> {
  name: string
  description: string
  schema: Schema
  effect: EffectKind
  /** The paths of an input, as the model wrote them. */
  paths?: (input: z.infer<Schema>) => string[]
  /** It may change anything in the workspace. */
  anywhere?: boolean
  effects?: (input: z.infer<Schema>, root: WorkRoot) => Effects
  preview?: (input: z.infer<Schema>, root: WorkRoot) => Promise<Preview>
  grants?: (input: z.infer<Schema>, paths: readonly string[], root: WorkRoot) => Grant[]
  timeout?: number
  limit?: number
  run: (input: z.infer<Schema>, context: ToolContext) => Promise<ToolResult>
}

export function defineTool<Schema extends z.ZodType>(options: ToolDefinition<Schema>): Tool<z.infer<Schema>> {
  type Input = z.infer<Schema>
  const paths = (input: Input, root: WorkRoot) => (options.paths?.(input) ?? []).map((path) => absolute(root, path))
  const effects = (input: Input, root: WorkRoot): Effects =>
    options.effects?.(input, root) ?? {
      effect: options.effect,
      paths: paths(input, root),
      anywhere: options.anywhere ?? false,
    }
  return {
    name: options.name,
    description: options.description,
    input: jsonSchema(options.schema),
    parse: (input) => parseWith(options.schema, input),
    effects,
    preview: async (input, root) =>
      (await options.preview?.(input, root)) ?? plainPreview(options.name, effects(input, root), input as Json, root),
    grants: (input, paths, root) =>
      options.grants?.(input, paths, root) ?? pathGrants([options.name], options.name, paths, root),
    timeout: options.timeout,
    limit: options.limit ?? OUTPUT_LIMIT,
    run: options.run,
  }
}

function plainPreview(name: string, effects: Effects, input: Json, root: WorkRoot): Preview {
  const path = effects.paths[0]
  if (effects.effect === "reads" && path !== undefined) {
    return { action: { kind: "read", path }, title: `${name} ${shown(root, path)}` }
  }
  return { action: { kind: "other", input }, title: name }
}

function jsonSchema(schema: z.ZodType): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema) as JsonObject
  return rest
}

function parseWith<Schema extends z.ZodType>(schema: Schema, input: Json): Parsed<z.infer<Schema>> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return { ok: true, value: parsed.data }
  const problems = parsed.error.issues.map((issue) => {
    const at = issue.path.map(String).join(".")
    return at === "" ? issue.message : `${at}: ${issue.message}`
  })
  return { ok: false, problem: problems.join("; ") }
}
