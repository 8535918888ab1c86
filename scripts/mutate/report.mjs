// The results of a run, for the screen and for docs/mutation.md, where unnoticeable changes are listed by hand.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root, runTool } from "../prepare.mjs"

const page = join(root, "docs", "mutation.md")
const BY_HAND = "## Changes that no test could notice"

/** One line of the list: the file, its line before and after. */
export function nameOf({ file, line }) {
  return `\`${file}\`: \`${line.before}\` → \`${line.after}\``
}

/** What happened to a change that no test noticed, once it was retried. */
export function sinceThen({ now }) {
  return now === undefined ? "" : ` (${now} by now)`
}

export function isKnownUnseen(change) {
  return byHand().includes(nameOf(change))
}

function byHand() {
  const text = existsSync(page) ? readFileSync(page, "utf8") : ""
  return text.includes(BY_HAND) ? text.slice(text.indexOf(BY_HAND)) : `${BY_HAND}\n`
}

export function table(results) {
  const folders = [...new Set(results.map(({ folder }) => folder))]
  const row = (name, of) => {
    const seen = of.filter(({ outcome }) => outcome !== "unseen")
    const noticed = seen.filter(({ outcome }) => outcome === "noticed").length
    const share = seen.length === 0 ? "–" : `${Math.round((noticed / seen.length) * 100)} %`
    return `| ${name} | ${of.length} | ${of.length - seen.length} | ${noticed} | ${share} |`
  }
  return [
    "| folder | changes | not noticeable | noticed | of the noticeable |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...folders.map((folder) =>
      row(
        `\`${folder}\``,
        results.filter((each) => each.folder === folder),
      ),
    ),
    row("all", results),
  ].join("\n")
}

export function writeDocs(results, seed) {
  const unnoticed = results.filter(({ outcome }) => outcome === "unnoticed")
  const text = [
    "# Changes that no test notices",
    `\`npm run mutate\` makes random single changes to the code, each in a copy of the project, and runs the tests that run the
changed function. A change flips a comparison, adds one to a number, negates a condition, or leaves out a statement or an
\`await\`. Changes that types or lint refuse are not counted. Tests that name the file run first, then those of its folder, then
other quick ones; long ones (\`*.long.test.ts\`) come last, the nearest first, for up to 40 seconds. Tests of the built program, of
a real terminal and of a browser are left out, because they do not see the change.`,
    `The goal is 90 %. Tables of outside facts (models, prefixes of tokens) are left out, because a test could only repeat
them, and so is what only a real terminal or a browser can show. The last run: ${results.length} changes with seed ${seed}.`,
    table(results),
    "## Not noticed in the last run",
    unnoticed.length === 0 ? "None." : unnoticed.map((each) => `- ${nameOf(each)}${sinceThen(each)}`).join("\n"),
    byHand().trimEnd(),
  ].join("\n\n")
  writeFileSync(page, `${text}\n`)
  runTool("biome", ["format", "--write", page])
}
