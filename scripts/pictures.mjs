// Pictures of the page for the README, from a real run with the practice model: node scripts/pictures.mjs [FOLDER]
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { launchChromium } from "./chromium.mjs"
import { prepare, root } from "./prepare.mjs"

const LARGEST = 150_000
const PROMPTS = [
  'create src/price.js with "export const price = (cents) => (cents / 100).toFixed(2)"',
  "change \"toFixed(2)\" to \"toFixed(2).replace('.', ',')\" in src/price.js",
  "run node --eval \"console.log((1999 / 100).toFixed(2).replace('.', ','))\"",
]
const OTHER_WAY = [
  'change "(cents / 100).toFixed(2)" to "new Intl.NumberFormat(\'de\').format(cents / 100)" in src/price.js',
  "run node --eval \"console.log(new Intl.NumberFormat('de').format(19.99))\"",
]
/** Other agents' sessions, and one more of ours. */
const OTHERS = [
  { project: "infra", prompt: "think about certificates that expire on a Sunday", agent: "codex" },
  { project: "blog", prompt: "count to 5", agent: "pi" },
  { project: "blog", prompt: "say the feed is Atom now, and why readers will not notice", agent: "claude-code" },
  { project: "shop", prompt: "say what a cart is for" },
]

await prepare("install", "build")
/** Its path is in the picture. Fails if it exists: then something else uses it, or an earlier run was interrupted. */
const folder = join(tmpdir(), "you")
mkdirSync(folder)
const target = resolve(process.argv[2] ?? join(root, "docs", "pictures"))
mkdirSync(target, { recursive: true })
const program = join(root, "dist", "cli.cjs")
const env = { PATH: process.env.PATH, HOME: folder, RETCON_HOME: join(folder, "home") }
const { url, token, stop } = await serve()
try {
  for (const other of OTHERS) await someoneElse(other)
  const session = await talk("shop", PROMPTS)
  await ask(`sessions/${session}/title`, { title: "Prices with a comma" })
  await ask(`sessions/${session}/labels`, { entry: "@2", name: "comma" })
  await ask(`sessions/${session}/back`, { rounds: 2, files: "restore" })
  await talk("shop", OTHER_WAY, session)
  const browser = await launchChromium()
  for (const colorScheme of ["light", "dark"]) await picture(browser, session, colorScheme)
  await browser.close()
} finally {
  await stop()
  rmSync(folder, { recursive: true, force: true })
}

async function picture(browser, session, colorScheme) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 760 },
    colorScheme,
    reducedMotion: "reduce",
  })
  const page = await context.newPage()
  await page.goto(`${url}/#token=${token}`)
  await page.evaluate((id) => (location.hash = `#/s/${id}`), session)
  await page.getByText("you are").waitFor({ state: "attached" })
  await page.getByRole("button", { name: /^Edit/ }).last().click()
  await page.getByRole("region", { name: /^Changes to/ }).waitFor()
  const path = join(target, `page-${colorScheme}.png`)
  await page.screenshot({ path })
  await context.close()
  const { size } = statSync(path)
  console.log(`${path}: ${size} bytes`)
  if (size > LARGEST) throw new Error(`${path} has more than ${LARGEST} bytes: show less in it.`)
}

/** Sends these one after the other, in a new session unless one is named. Returns its id. */
async function talk(project, prompts, session) {
  const cwd = join(folder, project)
  mkdirSync(join(cwd, "src"), { recursive: true })
  const id = session ?? (await ask("sessions", { cwd })).id
  for (const text of prompts) await ask(`sessions/${id}/converse`, { text, wait: true })
  return id
}

/** A session that belongs to another agent: written for it, and removed from ours. */
async function someoneElse({ project, prompt, agent }) {
  const id = await talk(project, [prompt])
  if (agent === undefined) return
  for (const words of [["export", "--to", agent], ["rm"]]) {
    execFileSync(process.execPath, [program, ...words, "-s", id], { cwd: join(folder, project), env })
  }
}

async function ask(path, body) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const response = await fetch(`${url}/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

async function serve() {
  const words = ["serve", "--port", "0", "--no-open", "--json", "--model", "practice", "--mode", "yolo"]
  const child = spawn(process.execPath, [program, ...words], { cwd: folder, env })
  const ended = new Promise((done) => child.on("close", done))
  child.stderr.pipe(process.stderr)
  const line = await new Promise((done) => child.stdout.once("data", (text) => done(String(text))))
  const stop = () => {
    child.kill("SIGINT")
    return ended
  }
  return { ...JSON.parse(line), stop }
}
