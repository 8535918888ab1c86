// What a run found, for the screen and for docs/mutation.md. Changes that cannot be seen are listed there by hand.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root, runTool } from "../prepare.mjs"

const page = join(root, "docs", "mutation.md")
const BY_HAND = "## Changes that cannot be seen"

/** One line of the list: the file, its line before and after. */
export function nameOf({ file, line }) {
  return `\`${file}\`: \`${line.before}\` → \`${line.after}\``
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
  const unnoticed = results.filter(({ outcome }) => outcome === "unnoticed").map((each) => `- ${nameOf(each)}`)
  const text = [
    "# Changes that no test notices",
    `\`npm run mutate\` makes random single changes to the code, each in a copy of the project, and runs the quick tests that run the
changed function, those of its folder first: a comparison that is flipped, a number that is one more, a condition that is negated, a
statement or an \`await\` that is left out. Changes that types or lint refuse are not counted. The last run: ${results.length} changes with seed ${seed}.`,
    table(results),
    "## Not noticed in the last run",
    unnoticed.length === 0 ? "None." : unnoticed.join("\n"),
    byHand().trimEnd(),
  ].join("\n\n")
  writeFileSync(page, `${text}\n`)
  runTool("biome", ["format", "--write", page])
}
