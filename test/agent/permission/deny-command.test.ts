// Rules that forbid: any trace of the command is enough, and nothing else is.
import { expect, test } from "vitest"
import { isCommandDenied } from "../../../src/agent/permission/deny-command.ts"

test.each([
  ["git push", "git push"],
  ["git push origin main", "git push origin"],
  ["git -C . push --tags origin main", "git push origin"],
  ["git push --repo x origin", "git push origin"],
  ["/usr/bin/git push origin", "git push origin"],
  ["sudo git push origin", "git push origin"],
  ["git remote add evil url", "git remote add evil"],
  ["rm -r -f x", "rm -rf"],
  ["rm --recursive --forc x", "rm -rf"],
])("%s is forbidden by %s", (line, rule) => {
  expect(isCommandDenied(line, rule)).toBe(true)
})

test.each([
  ["git pull origin", "git push origin"],
  ["git push", "git push origin"],
  ["git push upstream", "git push origin"],
  ["git remote show evil", "git remote add evil"],
  ["rm -r x", "rm -rf"],
  ["echo hello", "rm"],
])("%s is not forbidden by %s", (line, rule) => {
  expect(isCommandDenied(line, rule)).toBe(false)
})
