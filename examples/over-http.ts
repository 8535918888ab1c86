// A conversation over HTTP: says something, goes back, says something else. Both answers stay in the tree.
// Start the server with `retcon serve --json`, then: npx tsx examples/over-http.ts URL TOKEN FOLDER
import process from "node:process"

const [url = "", token = "", cwd = process.cwd()] = process.argv.slice(2)

interface Answer {
  id: string
  text: string
  messages: unknown[]
  prompt: { text: string } | null
  leaves: { prompt: string; onPath: boolean }[]
}

/** Without a body it is a GET. */
async function ask(path: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const sent = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) }
  const response = await fetch(`${url}/api${path}`, sent)
  const answer = (await response.json()) as Answer & { detail: string; hint: string }
  if (!response.ok) throw new Error(`${answer.detail} ${answer.hint}`)
  return answer
}

const session = `/sessions/${(await ask("/sessions", { cwd })).id}`
for (const text of ["hello", "help"]) {
  const { text: answered } = await ask(`${session}/converse`, { text, wait: true })
  console.log(`> ${text}\n${answered.split("\n", 1)[0]}`)
}
const { prompt } = await ask(`${session}/back`, {})
console.log(
  `Went back to before "${prompt?.text}": ${(await ask(`${session}/messages`)).messages.length} messages are left.`,
)
await ask(`${session}/converse`, { text: "hello again", wait: true })
for (const { prompt: last, onPath } of (await ask(`${session}/leaves`)).leaves)
  console.log(`${onPath ? "*" : " "} ${last}`)
