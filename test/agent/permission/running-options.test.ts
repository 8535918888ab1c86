// Options that run a program are asked about, also where the command itself is allowed.
import { expect, test } from "vitest"
import { runsAnother } from "../../../src/agent/permission/allow-command.ts"

const runs = (command: string) => {
  const [program = "", ...rest] = command.split(" ")
  return runsAnother(
    program,
    rest.map((text) => ({ text, becomes: "itself", begins: text })),
  )
}

test.each([
  "git --exec-path=/tmp status",
  "git --ex status",
  "git --upload-pack x fetch",
  "git -c alias.x=!sh x",
  "git -calias.x=!sh x",
  "/usr/bin/git --config-env=a=b log",
  "tar -xf a.tar --to-command=sh",
  "tar xIf sh a.tar",
  "tar -Ish -xf a.tar",
  "rsync -e sh a b",
  "rsync --rsync-path=sh a b",
  "zip -TT sh a.zip",
  "man -P sh ls",
  "ssh -o ProxyCommand=sh host",
  "npm --script-shell=sh test",
])("%s runs another program", (command) => {
  expect(runs(command)).toBe(true)
})

test.each([
  "git log --oneline",
  "git --no-pager log",
  "git -- status",
  "git log -e",
  "git log =a",
  "tar --file a.tar -x",
  "tar xf a.tar",
  "tar -xf a.tar Index",
  "tar -xfI a.tar",
  "rsync --verbose a b",
  "rsync -f e a",
  "npm test",
  "ls --exec=sh",
  "constructor --exec=sh",
])("%s does not", (command) => {
  expect(runs(command)).toBe(false)
})
