// Which commands may leave something running, by their own text.
import { expect, test } from "vitest"
import { startsInBackground } from "../../src/history/files/left-running.ts"
import type { Json } from "../../src/model/json.ts"

test.each<[boolean, Json]>([
  [true, { command: "npm start &" }],
  [true, { command: "(sleep 1; echo late > late.txt) &" }],
  [true, { command: "server& echo $!" }],
  [true, { command: 'bash -lc "server &"' }],
  [true, { command: ["bash", "-lc", "server & sleep 1"] }],
  [true, { cmd: "nohup make" }],
  [true, { command: "setsid -f server" }],
  [true, { command: "docker compose up -d" }],
  [true, { command: "make", run_in_background: true }],
  [true, { command: "make", is_background: true }],
  [false, { command: "make && make test" }],
  [false, { command: "make > log 2>&1" }],
  [false, { command: "make &> log" }],
  [false, { command: "make |& tee log" }],
  [false, { command: "git commit -m 'this & that'" }],
  [false, { command: 'curl "http://localhost/?a=1&b=2"' }],
  [false, { command: "cut -d: -f1 /etc/passwd" }],
  [false, { command: "echo a \\& b" }],
  [false, { file_path: "a & b" }],
  [false, "make &"],
  [false, {}],
])("%s for %j", (expected, input) => {
  expect(startsInBackground(input)).toBe(expected)
})
