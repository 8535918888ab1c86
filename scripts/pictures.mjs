// Pictures of the page for the README, from a real run with the practice model: node scripts/pictures.mjs [FOLDER]
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
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
const OTHERS = ["say the feed is Atom now", "count to 5", "think about certificates"]

await prepare("install", "build")
const folder = mkdtempSync(join(tmpdir(), "retcon-pictures-"))
const target = resolve(process.argv[2] ?? join(root, "docs", "pictures"))
mkdirSync(target, { recursive: true })
const { url, token, stop } = await serve()
try {
  const session = await talk("shop", PROMPTS)
  await ask(`sessions/${session}/labels`, { entry: "@2", name: "comma" })
  await ask(`sessions/${session}/back`, { rounds: 2, files: "restore" })
  await talk("shop", OTHER_WAY, session)
  for (const [i, prompt] of OTHERS.entries()) await talk(["blog", "blog", "infra"][i], [prompt])
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
  await page.getByRole("region", { name: /^Changes of/ }).waitFor()
  const path = join(target, `page-${colorScheme}.png`)
  await page.screenshot({ path })
  await context.close()
  const { size } = statSync(path)
  console.log(`${path}: ${size} bytes`)
  if (size > LARGEST) throw new Error(`${path} has more than ${LARGEST} bytes: show less on it.`)
}

/** Says these one after the other, in a new session unless one is named. Returns its id. */
async function talk(project, prompts, session) {
  const cwd = join(folder, project)
  mkdirSync(join(cwd, "src"), { recursive: true })
  const id = session ?? (await ask("sessions", { cwd })).id
  for (const text of prompts) await ask(`sessions/${id}/converse`, { text, wait: true })
  return id
}

async function ask(path, body) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const response = await fetch(`${url}/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

async function serve() {
  const words = ["serve", "--port", "0", "--no-open", "--json", "--model", "practice", "--mode", "yolo"]
  const env = { PATH: process.env.PATH, HOME: folder, RETCON_HOME: join(folder, "home") }
  const child = spawn(process.execPath, [join(root, "dist", "cli.cjs"), ...words], { cwd: folder, env })
  const ended = new Promise((done) => child.on("close", done))
  child.stderr.pipe(process.stderr)
  const line = await new Promise((done) => child.stdout.once("data", (text) => done(String(text))))
  const stop = () => {
    child.kill("SIGINT")
    return ended
  }
  return { ...JSON.parse(line), stop }
}
