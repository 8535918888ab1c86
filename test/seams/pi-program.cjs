// A program that writes into a session of pi as that does: it continues from the file's last line, and each line names the one above.
// `acp`: it is driven over the Agent Client Protocol, and stays for the next prompt; otherwise its standard input is one prompt.
// SESSION_FILE: the session. GO: a file for which a prompt that begins with "wait" waits.
const { randomBytes } = require("node:crypto")
const fs = require("node:fs")

/** `said`: called with each text. `stopped`: whether it has been told to stop. */
async function answerTo(prompt, parentId, said, stopped) {
  const write = (message) => {
    const id = randomBytes(4).toString("hex")
    const line = { type: "message", id, parentId, timestamp: new Date().toISOString(), message }
    fs.appendFileSync(process.env.SESSION_FILE, `${JSON.stringify(line)}\n`)
    parentId = id
  }
  const answer = (text) => {
    write({ role: "assistant", content: [{ type: "text", text }], stopReason: "stop" })
    said(text)
  }
  write({ role: "user", content: [{ type: "text", text: prompt }] })
  if (prompt.startsWith("wait")) {
    answer("I wait.")
    while (!fs.existsSync(process.env.GO) && !stopped()) await new Promise((next) => setTimeout(next, 10))
  }
  if (!stopped()) answer("Done.")
  return parentId
}

function lastInFile() {
  const lines = fs.readFileSync(process.env.SESSION_FILE, "utf8").trimEnd().split("\n")
  return lines.length > 1 ? JSON.parse(lines.at(-1)).id : null
}

function driven() {
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  /** What it knows of the session, from when it loaded it. */
  let [at, isStopped] = [null, false]
  const text = (text) =>
    send({
      method: "session/update",
      params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
    })
  const methods = {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
    "session/load"() {
      at = lastInFile()
      return {}
    },
    async "session/prompt"({ prompt }) {
      isStopped = false
      at = await answerTo(prompt[0].text, at, text, () => isStopped)
      return { stopReason: isStopped ? "cancelled" : "end_turn" }
    },
    "session/cancel"() {
      isStopped = true
    },
  }
  require("node:readline")
    .createInterface({ input: process.stdin })
    .on("line", (line) => {
      const { id, method, params } = JSON.parse(line)
      void Promise.resolve(methods[method]?.(params)).then((result) => {
        if (id !== undefined) send({ id, result })
      })
    })
    .on("close", () => process.exit(0))
}

if (process.argv.includes("acp")) driven()
else {
  // pi sets its title, by which retcon finds that it runs in this folder.
  process.title = "pi"
  answerTo(
    fs.readFileSync(0, "utf8"),
    lastInFile(),
    () => {},
    () => false,
  ).catch((error) => {
    process.stderr.write(`${error.stack}\n`)
    process.exit(1)
  })
}
