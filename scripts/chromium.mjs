// A browser from its npm package, unpacked once into .cache/, for tests of the page and its pictures. Not installed.
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { brotliDecompressSync } from "node:zlib"
import { chromium } from "playwright-core"
import { withLock } from "./lock.mjs"
import { cache as caches } from "./prepare.mjs"

const packed = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "../..")
const cache = join(caches, `chromium-${JSON.parse(readFileSync(join(packed, "package.json"), "utf8")).version}`)

const PLAIN = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"]
/** A fake microphone that hums, and no permission prompt for it. */
const SOUND = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", "--mute-audio"]

export async function launchChromium() {
  const executablePath = join(cache, "chromium")
  if (!existsSync(executablePath)) await withLock(`${cache}.lock`, unpack)
  const env = { ...process.env, ...(existsSync("/etc/fonts") ? {} : { FONTCONFIG_PATH: cache }) }
  return chromium.launch({ executablePath, env, args: [...PLAIN, ...SOUND] })
}

/** The program comes last, complete or not at all: if it is there, so is everything else. */
function unpack() {
  if (existsSync(join(cache, "chromium"))) return
  const bytes = (name) => brotliDecompressSync(readFileSync(join(packed, "bin", name)))
  mkdirSync(cache, { recursive: true })
  spawnSync("tar", ["-x", "-C", cache], { input: bytes("fonts.tar.br") })
  const conf = `<?xml version="1.0"?><fontconfig><dir>${cache}/fonts</dir><cachedir>${cache}/font-cache</cachedir></fontconfig>`
  writeFileSync(join(cache, "fonts.conf"), conf)
  const part = join(cache, "chromium.part")
  writeFileSync(part, bytes("chromium.br"))
  chmodSync(part, 0o755)
  renameSync(part, join(cache, "chromium"))
}
