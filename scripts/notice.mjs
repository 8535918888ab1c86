// Writes NOTICE: the licences of the packages whose code is in dist/. `--check` only compares, for npm run check.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { prepare, root } from "./prepare.mjs"

await prepare("install", "build")
const file = join(root, "NOTICE")
const bundled = ["dist/bundled.json", "dist/web/bundled.json"].flatMap((list) =>
  JSON.parse(readFileSync(join(root, list), "utf8")),
)
const wanted = notice([...new Set(bundled)])
if (!process.argv.includes("--check")) writeFileSync(file, wanted)
else if (!existsSync(file) || readFileSync(file, "utf8") !== wanted) {
  console.log("NOTICE does not list what is bundled. Write it again with: node scripts/notice.mjs")
  process.exitCode = 1
}

/** Each licence once, below the packages that have it verbatim. */
function notice(folders) {
  const packages = new Map()
  for (const folder of folders) {
    const { name, version, license, author } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
    const text =
      licenceText(join(root, folder)) ?? usualText(license, author?.name ?? author ?? `the authors of ${name}`)
    packages.set(text, [...(packages.get(text) ?? []), `${name} ${version} (${license})`])
  }
  const parts = [...packages].map(
    ([text, names]) => `${[...new Set(names)].sort((a, b) => (a < b ? -1 : 1)).join("\n")}\n\n${text}\n`,
  )
  const head = "retcon is bundled with these packages. Their code is in dist/, under their own licences.\n"
  return [head, ...parts.sort()].join(`\n${"-".repeat(80)}\n\n`)
}

function licenceText(folder) {
  const name = readdirSync(folder).find((each) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(each))
  return name === undefined ? undefined : readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n").trim()
}

/** For a package that names its licence but does not include the text. MIT is retcon's licence too. */
function usualText(license, author) {
  const copyright = `Copyright (c) ${author}`
  if (license === "MIT") return licenceText(root).replace(/^Copyright .*$/m, copyright)
  if (license === "Apache-2.0") return `${copyright}\n\nLicensed under http://www.apache.org/licenses/LICENSE-2.0`
  throw new Error(`There is no text for the licence ${license} of ${author}: add it to scripts/notice.mjs`)
}
