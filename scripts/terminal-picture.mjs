// The picture of the terminal for the README, from a real run with the practice model: node
// scripts/terminal-picture.mjs [FOLDER]. tmux runs the terminal, xterm reads its screen, and a browser draws it.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import xterm from "@xterm/headless"
import { launchChromium } from "./chromium.mjs"
import { prepare, root } from "./prepare.mjs"

const LARGEST = 150_000
const [COLUMNS, ROWS] = [92, 21]
const GROUND = "#1b1a20"
const TEXT = "#e6e2ea"
const COLOURS = ["#3a3842", "#e5737b", "#8fca86", "#e2b36a", "#82a8ea", "#c49ae6", "#74c7c0", "#d6d2da"]
const BRIGHT = ["#7d7888", "#f08e95", "#a9dba1", "#f0ca8c", "#a1c0f4", "#d6b5f2", "#93dbd5", "#ffffff"]

const retcon = join(root, "dist", "cli.cjs")
const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-picture-")))
const cwd = join(folder, "shop")
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  RETCON_HOME: join(folder, "home"),
  LANG: "C.UTF-8",
  TERM: "screen-256color",
}
const target = resolve(process.argv[2] ?? join(root, "docs", "pictures"))

await prepare("install", "build")
mkdirSync(target, { recursive: true })
mkdirSync(cwd)
try {
  talk("create price.js with export const price = 1", "change 1 to 2 in price.js", "run rm price.js")
  run("back", "--files", "restore")
  talk("change 2 to 3 in price.js", "run cat price.js")
  run("label", "@2", "two")
  await draw(await cells(await screen()))
} finally {
  spawnSync("tmux", ["-S", join(folder, "socket"), "kill-server"])
  rmSync(folder, { recursive: true, force: true })
}

function run(...words) {
  const { status, stderr } = spawnSync(process.execPath, [retcon, ...words], { cwd, env, encoding: "utf8" })
  if (status !== 0) throw new Error(`retcon ${words.join(" ")}: ${stderr}`)
}

function talk(...prompts) {
  for (const prompt of prompts) run("run", "--continue", "--model", "practice", "--mode", "yolo", prompt)
}

function tmux(...words) {
  return spawnSync("tmux", ["-S", join(folder, "socket"), "-f", "/dev/null", ...words], { env, cwd, encoding: "utf8" })
    .stdout
}

/** The tree in the terminal, with its colours. */
async function screen() {
  const command = `${process.execPath} ${retcon} --continue --model practice`
  tmux("new-session", "-d", "-x", String(COLUMNS), "-y", String(ROWS), command)
  await sees("cat price.js")
  tmux("send-keys", "/tree", "Enter")
  await sees("rm price.js")
  return tmux("capture-pane", "-p", "-e")
}

async function sees(text) {
  for (let look = 0; look < 300; look++) {
    if (tmux("capture-pane", "-p").includes(text)) return pause(300)
    await pause(100)
  }
  throw new Error(`The terminal does not show ${JSON.stringify(text)}:\n${tmux("capture-pane", "-p")}`)
}

/** Lines of runs with the same style, as HTML. */
async function cells(text) {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true })
  await new Promise((done) => terminal.write(text.trimEnd().replaceAll("\n", "\r\n"), done))
  return Array.from({ length: ROWS }, (_, y) => lineOf(terminal.buffer.active.getLine(y))).join("\n")
}

function lineOf(line) {
  const runs = []
  for (let x = 0; x < COLUMNS; x++) {
    const at = line?.getCell(x)
    if (at === undefined || at.getWidth() === 0) continue
    const [look, text] = [lookOf(at), at.getChars() || " "]
    if (runs.at(-1)?.look === look) runs.at(-1).text += text
    else runs.push({ look, text })
  }
  const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
  return runs.map(({ look, text }) => `<span style="${look}">${escaped(text)}</span>`).join("")
}

function lookOf(at) {
  const front = colour(at.isFgDefault(), at.isFgRGB(), at.getFgColor(), TEXT)
  const back = colour(at.isBgDefault(), at.isBgRGB(), at.getBgColor(), GROUND)
  // A selected row is one bar: only the ink of its parts differs.
  const [ink, paper] = at.isInverse() ? [at.isFgDefault() ? back : darker(front), TEXT] : [front, back]
  const dimmed = at.isDim() ? `color-mix(in srgb, ${ink} 62%, ${paper})` : ink
  return `color:${dimmed};background:${paper};${at.isBold() ? "font-weight:700" : ""}`
}

function darker(ink) {
  return `color-mix(in srgb, ${ink} 55%, black)`
}

function colour(isDefault, isRgb, value, usual) {
  if (isDefault) return usual
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`
  if (value < 16) return value < 8 ? COLOURS[value] : BRIGHT[value - 8]
  if (value >= 232) return grey(8 + (value - 232) * 10)
  const level = (part) => (part === 0 ? 0 : 55 + part * 40)
  const cube = value - 16
  return `rgb(${level(Math.floor(cube / 36))},${level(Math.floor(cube / 6) % 6)},${level(cube % 6)})`
}

function grey(level) {
  return `rgb(${level},${level},${level})`
}

async function draw(lines) {
  const browser = await launchChromium()
  const page = await browser.newPage({ viewport: { width: 900, height: 560 }, deviceScaleFactor: 1.5 })
  const font = 'font:14px/1.35 "DejaVu Sans Mono","Liberation Mono",monospace'
  await page.setContent(
    `<body style="margin:0;background:${GROUND}"><pre style="display:inline-block;margin:0;padding:18px 20px;${font};color:${TEXT}">${lines}</pre>`,
  )
  const path = join(target, "terminal.png")
  await page.locator("pre").screenshot({ path })
  await browser.close()
  const { size } = statSync(path)
  console.log(`${path}: ${size} bytes`)
  if (size > LARGEST) throw new Error(`${path} has more than ${LARGEST} bytes: show less in it.`)
}
