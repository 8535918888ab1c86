// The results of a run, for the screen and for docs/mutation.md, where unnoticeable changes are listed by hand.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root, runTool } from "../prepare.mjs"

const page = join(root, "docs", "mutation.md")
const BY_HAND = "## Changes that cannot be seen"

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
    "| folder | changes | cannot be seen | noticed | of those that can |",
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
changed function: a comparison that is flipped, a number that is one more, a condition that is negated, a statement or an
\`await\` that is left out. Changes that types or lint refuse are not counted. The tests that name the file go first, then those
of its folder, then others, quick ones; long ones (\`*.long.test.ts\`) come last, the nearest first and up to 40 seconds of
them. Tests of the built program, of a real terminal and of a browser do not see the change and are not asked.`,
    `The goal is 90 %. Tables of facts from elsewhere (models, first letters of tokens) are left out, because a test could only
repeat them, and so is what only a real terminal or a browser can show. The last run: ${results.length} changes with seed ${seed}.`,
    table(results),
    "## Not noticed in the last run",
    unnoticed.length === 0 ? "None." : unnoticed.map((each) => `- ${nameOf(each)}${sinceThen(each)}`).join("\n"),
    byHand().trimEnd(),
  ].join("\n\n")
  writeFileSync(page, `${text}\n`)
  runTool("biome", ["format", "--write", page])
}
