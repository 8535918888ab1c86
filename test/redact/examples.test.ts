import { expect, test } from "vitest"
import { redacted } from "./planted.ts"

const body = "b7Kx9Qm2Lw4Rt6Yp8Zn3Vc5Hs1Jd0Fg7Ua2Ei4Ob"
const hex = "5f4dcc3b5aa765d61d8327deb882cf99"

const secrets: [text: string, shown: string][] = [
  [`sk-ant-api03-${body}.`, "[secret 1: Anthropic key]."],
  [`sk-proj-${body}`, "[secret 1: OpenAI key]"],
  [`key sk-${hex}!`, "key [secret 1: API key]!"],
  [`AIzaSyA${body.slice(0, 32)}`, "[secret 1: Google key]"],
  [`{"text":"one\\nsk-${hex}"}`, '{"text":"one\\n[secret 1: API key]"}'],
  [
    `git clone https://x-access-token:${hex}@github.com/o/r`,
    "git clone https://x-access-token:[secret 1: password in a URL]@github.com/o/r",
  ],
  [`https://${hex}@github.com/o/r`, "https://[secret 1: password in a URL]@github.com/o/r"],
  ["redis://:h!x9@cache:6379", "redis://:[secret 1: password in a URL]@cache:6379"],
  ["postgres://a:p@ss:w0rd@db/x", "postgres://a:[secret 1: password in a URL]@db/x"],
  [`curl -H 'Authorization: Bearer ${body}' x`, "curl -H 'Authorization: Bearer [secret 1: authorization header]' x"],
  ["-H 'authorization: Basic dXNlcjpwYXNz'", "-H 'authorization: Basic [secret 1: authorization header]'"],
  [
    "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "AWS_SECRET_ACCESS_KEY=[secret 1: value of AWS_SECRET_ACCESS_KEY]",
  ],
  [
    "AKIAIOSFODNN7EXAMPLE,wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "[secret 1: AWS access key],[secret 2: AWS secret key]",
  ],
  ['"password": "hunter2hunter2"', '"password": "[secret 1: value of password]"'],
  [String.raw`{\"api_key\": \"${hex}\"}`, String.raw`{\"api_key\": \"[secret 1: value of api_key]\"}`],
  [`GET /v1?access_token=${hex}&page=2`, "GET /v1?access_token=[secret 1: value of access_token]&page=2"],
  [`deploy --password=${body}`, "deploy --password=[secret 1: value of password]"],
  [`-----BEGIN PRIVATE KEY-----\n${body}\n${body}`, "[secret 1: private key]"],
  [`-----BEGIN PRIVATE KEY-----\n${body}\n${body}==\nend`, "[secret 1: private key]\nend"],
  [`"-----BEGIN PRIVATE KEY-----\\n${body}\\n-----END PRIVATE KEY-----\\n"`, '"[secret 1: private key]\\n"'],
  [`https://hooks.slack.com/services/T00/B00/${body}`, "https://[secret 1: webhook]"],
]

test.each(secrets)("%s", (text, shown) => {
  expect(redacted(text)).toBe(shown)
})

test.each([
  "a1b2c3d4e5f60718293a4b5c6d7e8f9001234567 is the commit of task-a1b2c3d4e5f60718293a4b5c6d7e8f9001234567",
  "AKIA and sk-ant- and ghp_ are how keys begin; -----BEGIN PRIVATE KEY----- is how a file does",
  "const token = await login(user)\nexport const API_KEY = process.env.API_KEY2\ntype A = { key: Uint8Array; password: string }",
  'const END = "-----END PRIVATE KEY-----"; const BEGIN = "-----BEGIN PRIVATE KEY-----"; return BEGIN + text + END',
  "DB_PASSWORD=$DB_PASSWORD2 API_KEY=<your key> TOKEN={{t0ken1}} SECRET=changeme PASSWORD=********",
  "postgres://user:password@localhost/db https://user:$PASS@host redis://name@host https://medium.com/@name",
  "Authorization: Bearer $TOKEN, Authorization: Bearer <token>, bearer authentication is used",
  "MAX_TOKENS=100000 PUBLIC_KEY=abcdef123456 SSH_KEY_PATH=/home/you/.ssh/id_ed25519 PWD=/srv/abc12345",
  '{"key": "row-17-left", "token": "ident12", "nextPageToken": ""}',
  "sk-learn-pipelines-with-1000-estimators npm_config_cache hf_hub_download_2024 gloas-",
  "ya29.short eyJhbGciOi.x.y https://example.com:8080/a@b",
])("is no secret: %s", (text) => {
  expect(redacted(text)).toBe(text)
})

test("values of variables with telling names are replaced, of others only what reveals itself", () => {
  const env = { DB_PASSWORD: "correct horse", EDITOR: "emacs-nox", DATABASE_URL: "postgres://a:s3same!x@db/x" }
  expect(redacted("emacs-nox correct horse, and s3same!x", env)).toBe(
    "emacs-nox [secret 1: value of DB_PASSWORD], and [secret 2: password in a URL]",
  )
})

test("a value that may be in a text for another reason is not searched for", () => {
  const env = {
    A_PASSWORD: "password",
    B_PASSWORD: "short",
    C_TOKEN: "development",
    D_KEY: "/usr/share/keys",
    E_TOKEN: "20260301",
    F_SECRET: "xxxxxxxxxxxx",
    G_KEY: "https://example.com",
  }
  const text = Object.values(env).join(" ")
  expect(redacted(text, env)).toBe(text)
})

test("what is encoded in another way is not recognised", () => {
  const encoded = Buffer.from("correct horse").toString("base64")
  expect(redacted(encoded, { DB_PASSWORD: "correct horse" })).toBe(encoded)
})

test("a token that is also a variable's value is named for what it is", () => {
  const token = `ghp_${"a1".repeat(18)}`
  expect(redacted(`it is ${token}`, { MY_TOKEN: token })).toBe("it is [secret 1: GitHub token]")
})

test("the home folder is ~, and no other folder is", () => {
  const text = "/home/you/src:/home/you, -I/home/you/include file:///home/you/x /home/young /home/you.old /home/you-2"
  expect(redacted(text, {}, ["/home/you/"])).toBe(
    "~/src:~, -I~/include file://~/x /home/young /home/you.old /home/you-2",
  )
  expect(redacted("/etc /", {}, ["/"])).toBe("/etc /")
})
