import { describe, expect, test } from "vitest"
import { homeFolder } from "../../src/app/config/home.ts"
import { readSettings } from "../../src/app/config/settings.ts"
import { terminalColumns, wantsColours } from "../../src/cli/process/terminal.ts"

describe("colours", () => {
  const cases: [string, boolean, Record<string, string>, Parameters<typeof wantsColours>[2], boolean][] = [
    ["a terminal has them", true, {}, {}, true],
    ["a pipe has none", false, {}, {}, false],
    ["a dumb terminal has none", true, { TERM: "dumb" }, {}, false],
    ["NO_COLOR takes them away", true, { NO_COLOR: "1" }, {}, false],
    ["an empty NO_COLOR does not", true, { NO_COLOR: "" }, {}, true],
    ["FORCE_COLOR gives them to a pipe", false, { FORCE_COLOR: "1" }, {}, true],
    ["FORCE_COLOR=0 takes them away", true, { FORCE_COLOR: "0" }, {}, false],
    ["NO_COLOR is stronger than FORCE_COLOR", true, { NO_COLOR: "1", FORCE_COLOR: "1" }, {}, false],
    ["the flag is stronger than NO_COLOR", false, { NO_COLOR: "1" }, { flag: "always" }, true],
    ["--color=never is stronger than FORCE_COLOR", true, { FORCE_COLOR: "1" }, { flag: "never" }, false],
    ["--color=auto asks the terminal alone", true, { NO_COLOR: "1" }, { flag: "auto", setting: "never" }, true],
    ["the setting is weaker than NO_COLOR", true, { NO_COLOR: "1" }, { setting: "always" }, false],
    ["the setting is stronger than the terminal", false, {}, { setting: "always" }, true],
    ["the setting may be never", true, {}, { setting: "never" }, false],
  ]
  for (const [name, isTerminal, env, choice, expected] of cases) {
    test(name, () => expect(wantsColours(isTerminal, env, choice)).toBe(expected))
  }
})

test("the width is the terminal's, else COLUMNS, else 80", () => {
  expect(terminalColumns(120, { COLUMNS: "40" })).toBe(120)
  expect(terminalColumns(undefined, { COLUMNS: "40" })).toBe(40)
  for (const wrong of [undefined, "", "0", "-3", "wide", "1.5"])
    expect(terminalColumns(undefined, { COLUMNS: wrong })).toBe(80)
})

test("the home is RETCON_HOME, else the data folder of the platform", () => {
  expect(homeFolder({ RETCON_HOME: "/r" }, "linux", "/home/you")).toBe("/r")
  expect(homeFolder({}, "linux", "/home/you")).toBe("/home/you/.local/share/retcon")
  expect(homeFolder({ RETCON_HOME: "", XDG_DATA_HOME: "/data" }, "linux", "/home/you")).toBe("/data/retcon")
  expect(homeFolder({ XDG_DATA_HOME: "relative" }, "linux", "/home/you")).toBe("/home/you/.local/share/retcon")
  expect(homeFolder({}, "darwin", "/Users/you")).toBe("/Users/you/Library/Application Support/retcon")
})

test("a setting that makes no sense is named and its default is used", () => {
  const { settings, problems } = readSettings('{"durability":"slow","files":"restore","newer":1}')
  expect(settings).toMatchObject({ durability: "sync", files: "restore" })
  expect(problems).toEqual(['"durability" must be one of sync, fast'])
  expect(readSettings("[]").problems).toEqual(["it is not an object"])
  expect(readSettings("nonsense").problems).toHaveLength(1)
})
