import { expect, test } from "vitest"
import { parseDotenv } from "../../src/redact/value/dotenv.ts"

test("a .env file is read with its quotes, comments and several lines", () => {
  const text = [
    "# DB_PASSWORD=no",
    "DB_PASSWORD=abc#def # the old one",
    "export TOKEN = 'a b # c'",
    'PEM="-----BEGIN X-----',
    'abc\\n-----END X-----"',
    "EMPTY=",
    "QUOTED=''",
    "LAST='x'",
    "yaml: style\r",
    "not a line",
    'OPEN="never closed',
  ].join("\n")
  expect(parseDotenv(text).map(({ name, value }) => [name, value])).toEqual([
    ["DB_PASSWORD", "abc#def"],
    ["TOKEN", "a b # c"],
    ["PEM", "-----BEGIN X-----\nabc\n-----END X-----"],
    ["EMPTY", ""],
    ["QUOTED", ""],
    ["LAST", "x"],
    ["yaml", "style"],
    ["OPEN", '"never closed'],
  ])
})
