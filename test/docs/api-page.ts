// docs/api.md, made of the OpenAPI document.

interface Schema {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  default?: unknown
}

interface Operation {
  operationId: string
  summary: string
  description?: string
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: { "application/json": { schema: Schema } } }
  responses: Record<string, { description: string; content: Record<string, { schema?: Schema }> }>
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
}

const BEFORE = `# The API

\`retcon serve\` ([cli.md](cli.md#serve)) listens on this machine only. Every request needs the token that it printed:
\`Authorization: Bearer TOKEN\`. Requests and answers are JSON. \`/api/openapi.json\` is the same API as an OpenAPI 3.1 document;
\`npm run api-docs\` generates this page from it. [examples/over-http.ts](../examples/over-http.ts) is a short program that sends
prompts and goes back.

Errors are \`application/problem+json\`: \`status\`, \`code\` (stable), \`detail\` (what happened, and why),
\`hint\` (what to do next, in which \`ID\` stands for the session) and \`advice\`, the same as data. Any endpoint may return \`no-token\`, \`wrong-token\` (401), \`wrong-host\`,
\`wrong-origin\` (403), \`invalid\`, \`malformed\` (400), \`not-found\`, \`no-such-endpoint\` (404), \`wrong-method\` (405), \`too-slow\` (408),
\`too-large\` (413, of headers 431), \`not-json\` (415), \`no-upgrade\` (426), \`too-many\` (429), \`defect\` (500), \`closing\` (503), and the
codes of [cli.md](cli.md#exit-codes-and-errors).

## Events

Streams are server-sent events. A browser's \`EventSource\` cannot send the token, so read them with \`fetch\`. An event of a session
looks like this:

\`\`\`text
id: <generation>.<seq>
event: <type>
data: {"seq","turn","head","event":{"type",…},"from"?,"rows"?,"records"?}
\`\`\`

\`event\` is what \`retcon run --json\` prints ([cli.md](cli.md#run)). \`seq\` counts up by one. \`turn\` is the number of its turn. If it is
smaller than that of an earlier event, the event comes late, from a stopped turn: ignore it. \`head\` is a row, or null. \`rows\` are the rows
that were added before this event, starting with the row \`from\`, as base64 of what \`…/rows\` sends. \`records\` are their contents, with
null for long ones.

With \`Last-Event-ID\`, a client receives every event it missed, once, if there were no more than 4,096. Otherwise the stream begins with
\`reset\`, whose data is the state of the session: \`generation\`, \`seq\`, \`turn\`, \`size\`, \`head\`, \`status\`, \`access\`, and \`live\`, the output of
the running turn so far. The server drops a client with more than 1 MB of unsent events; it can reconnect. The last event before a server
stops is \`host-closing\`; before that, the server stops running turns and records where they ended.

## Voice

\`/api/voice?session=ID\` is the one WebSocket. Its subprotocols are \`retcon.voice\` and \`token.TOKEN\`, because a page cannot send headers
with one. Binary messages are audio, 16-bit PCM, little-endian, one channel: 16 kHz from the client, 24 kHz from the server. Text messages
come only from the server, as JSON with a \`type\`:

- \`ready\`: the model is listening.
- \`line\`: the voice log has gained \`line\`, as \`…/voice\` lists it.
- \`did\`: the result of a command: its \`action\`, and \`answer\` with \`ok\`, \`say\` and for a move \`moved\`, the answer of \`…/back\` or \`…/redo\`.
- \`interrupted\`: the person is speaking; discard audio that you have not played yet.
- \`closed\`: the last one, with \`because\` unless the client ended it.

## Endpoints
`

export function apiPage({ paths }: Document): string {
  const sections = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(`${method.toUpperCase()} ${path}`, operation)),
  )
  return [BEFORE, ...sections].join("\n")
}

function section(heading: string, operation: Operation): string {
  const query = (operation.parameters ?? []).filter((each) => each.in === "query")
  const body = operation.requestBody?.content["application/json"].schema
  const parts = [
    `### ${heading}\n\n${operation.summary}.${operation.description === undefined ? "" : ` ${operation.description}`}\n`,
  ]
  if (query.length > 0) {
    parts.push(
      fields(
        "query",
        query.map(({ name, required, description, schema }) => [
          name,
          required,
          { ...schema, ...(description === undefined ? {} : { description }) },
        ]),
      ),
    )
  }
  if (body !== undefined) parts.push(...bodies(body))
  for (const [status, { description, content }] of Object.entries(operation.responses)) {
    parts.push(answer(status, description, content))
  }
  return parts.filter((part) => part !== "").join("\n")
}

function bodies(schema: Schema): string[] {
  const all = schema.oneOf ?? schema.anyOf ?? [schema]
  return all.map(({ properties = {}, required = [] }) =>
    fields(
      "body",
      Object.entries(properties).map(([name, each]) => [name, required.includes(name), each]),
    ),
  )
}

function fields(what: string, rows: [name: string, required: boolean, schema: Schema][]): string {
  const cells = rows.map(([name, required, schema]) => {
    return [`\`${name}\`${required ? "" : "?"}`, typeOf(schema), cell(schema.description ?? "")]
  })
  const all = [[what, "", ""], ...cells]
  const widths = [0, 1, 2].map((column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)))
  const [head = "", ...lines] = all.map((row) => `| ${row.map((text, i) => text.padEnd(widths[i] ?? 0)).join(" | ")} |`)
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...lines, ""].join("\n")
}

function answer(status: string, description: string, content: Record<string, { schema?: Schema }>): string {
  const [type = "", { schema } = {}] = Object.entries(content)[0] ?? []
  if (status === "default") {
    const codes = /^A problem: (.*), or a general one\.$/.exec(description)?.[1]
    return codes === undefined
      ? ""
      : `Problems: ${codes
          .split(", ")
          .map((code) => `\`${code}\``)
          .join(", ")}.\n`
  }
  const shape = schema === undefined ? `\`${type}\`` : shapeOf(schema)
  return `${`**${status}** ${description} ${shape}`.trimEnd()}\n`
}

/** The names of an object's fields, in one line. */
function shapeOf({ properties = {}, required = [] }: Schema): string {
  const names = Object.entries(properties).map(([name, schema]) => {
    const inner =
      schema.type === "array" && schema.items?.properties !== undefined ? `: [${shapeOf(schema.items)}]` : ""
    return `${name}${required.includes(name) ? "" : "?"}${inner.replaceAll("`", "")}`
  })
  return names.length === 0 ? "" : `\`{${names.join(", ")}}\``
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((each) => `\`${JSON.stringify(each)}\``).join(", ")
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return either.map(typeOf).join(" or ")
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`
  return schema.type === undefined ? "" : String(schema.type)
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ")
}
