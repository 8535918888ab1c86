// A program that writes into a session of pi as that does: it continues from the file's last line, and each line names the one above.
// SESSION_FILE: the session. GO: a file for which a prompt that begins with "wait" waits.
const { randomBytes } = require("node:crypto")
const fs = require("node:fs")

async function main() {
  // pi sets its title, by which retcon finds that it runs in this folder.
  process.title = "pi"
  const file = process.env.SESSION_FILE
  const prompt = fs.readFileSync(0, "utf8")
  const lines = fs.readFileSync(file, "utf8").trimEnd().split("\n")
  let parentId = lines.length > 1 ? JSON.parse(lines.at(-1)).id : null
  const write = (message) => {
    const id = randomBytes(4).toString("hex")
    const line = { type: "message", id, parentId, timestamp: new Date().toISOString(), message }
    fs.appendFileSync(file, `${JSON.stringify(line)}\n`)
    parentId = id
  }
  const answer = (text) => write({ role: "assistant", content: [{ type: "text", text }], stopReason: "stop" })
  write({ role: "user", content: [{ type: "text", text: prompt }] })
  if (prompt.startsWith("wait")) {
    answer("I wait.")
    while (!fs.existsSync(process.env.GO)) await new Promise((next) => setTimeout(next, 10))
  }
  answer("Done.")
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
