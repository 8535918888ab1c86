// What a .gitignore means is what it means to git: each pattern is asked about each path, here and there.
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { addRules, isIgnored, type Rules } from "../../src/ignore/rules.ts"
import { temporaryFolder } from "../formats/read-session.ts"

/** Words of a list, in which ␣, ⏎ and ␍ stand for what they look like. */
const words = (list: string) =>
  list
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll("␣", " ").replaceAll("⏎", "\n").replaceAll("␍", "\r"))

/** Texts of whole files. */
const FILES = [
  "",
  "\ufeffa",
  ...words(String.raw`
    a a/ /a /a/ a/b /a/b a/b/ !a a⏎!a !a⏎a *⏎!a *⏎!*/ #a \#a \!a ␣a a␣ a\␣ a\\␣ a␣\␣ a␣␣ a␍ a␍⏎b a\ \a \\ \* / // ! !␣
    * ? ?? *a a* *b* *.x a.* ?.x */b a/* */* /* /*/ a?b a*b a**b **a a** ** **/ /** **/b a/** a/**/b **/b/** a/***/b
    a/**/**/b *** a**/b a/**b x/** **/a/b [a] [!a] [^a] [ab] [a-c] [c-a] [a-] [-a] []] []a] [!]] [a [ [] [!] [\a] [\]]
    [a\ [\ [a-\c] [a-\ [a- [\a-c] [[] [a-c-e] [!a-c] [^] [^]a] a[/]b a[!x]b /a[!x]b [[:alpha:]] [[:digit:]x]
    [![:alpha:]] [[:nope:]] [[:alpha] [[:alpha:] [[:] [[:]] [[:]x] [[::]] [[:upper:][:digit:]] [[:space:]] [[:punct:]]
    [a[:digit:]-c] [[:xdigit:]] [[:lower:]-] [[a] [[:a-z] é ?é ??x [é] a.b a+b (a) a|b ^a$ a{1} . .. .a .*`),
]
const NAMES = words(String.raw`
  a b c d e x A 1 - ] [ ! ^ #a !a ␣a a␣ a\ \ * : [: .a ab aa ba a.x b.x ab.x a.b aXb a+b (a) a|b ^a$ a{1} é xé éx
  a/b x/a a/b/c x/a/b a/x/b a/x/y/b b/a x/b axb a/b.x l] a\␣ :] [:] h] [] [:x] x] a-`)

/** Whether it or a folder above it is named. */
function isNamed(rules: Rules | undefined, path: string): boolean {
  const parts = path.split("/")
  return parts.some((name, i) => {
    const folder = ["/project", ...parts.slice(0, i)].join("/")
    return isIgnored(rules, folder, name, i < parts.length - 1)
  })
}

test("every pattern means what it means to git", () => {
  const root = temporaryFolder()
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" }
  const git = (args: string[], input = "") => execFileSync("git", args, { cwd: root, env, input }).toString()
  git(["init", "-q"])
  const cases = FILES.flatMap((text, i) => {
    mkdirSync(join(root, `f${i}`))
    writeFileSync(join(root, `f${i}`, ".gitignore"), text)
    const rules = addRules(undefined, "/project", Buffer.from(text))
    return NAMES.map((name) => ({ text, name, path: `f${i}/${name}`, ours: isNamed(rules, name) }))
  })
  const asked = cases.map(({ path }) => path).join("\0")
  const fields = git(["check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"], asked).split("\0")
  const differ = cases.filter(({ ours }, at) => {
    const [source = "", , pattern = ""] = fields.slice(at * 4)
    return ours !== (source !== "" && !pattern.startsWith("!"))
  })
  expect(fields.length).toBe(cases.length * 4 + 1)
  expect(differ.map(({ text, name, ours }) => `${JSON.stringify(text)} ${name}: ours ${ours}`)).toEqual([])
})

test("the nearest file decides, by the last line in it that matches", () => {
  const outer = addRules(undefined, "/project", Buffer.from("*.x\n!keep.x\n/only"))
  const inner = addRules(outer, "/project/sub/", Buffer.from("!a.x\nkeep.x\n"))
  const ignored = (folder: string, name: string) => isIgnored(inner, folder, name, false)
  expect(["a.x", "keep.x", "b.x", "only"].map((name) => ignored("/project/sub", name))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(isIgnored(outer, "/project", "only", false)).toBe(true)
  expect(isIgnored(undefined, "/project", "a.x", false)).toBe(false)
  expect(addRules(outer, "/project/sub", Buffer.from("# nothing\n\n"))).toBe(outer)
})
