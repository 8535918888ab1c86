import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { pageFiles } from "../../src/cli/serve/page-files.ts"
import { serve } from "./test-server.ts"

test("only the files of the page are served, each as what it is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "retcon-page-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const web = join(folder, "web")
  mkdirSync(join(web, "assets"), { recursive: true })
  writeFileSync(join(folder, "outside.js"), "outside")
  writeFileSync(join(web, "index.html"), "<!doctype html>")
  writeFileSync(join(web, "assets", "a-1234.js"), "export {}")
  writeFileSync(join(web, "notes.md"), "# notes")
  const { server, request } = serve([], { page: pageFiles(web) })
  const get = async (path: string) => {
    const { status, headers } = await server.fetch(request("GET", path))
    return [status, headers.get("content-type"), headers.get("cache-control")]
  }
  expect(await get("/")).toEqual([200, "text/html; charset=utf-8", "no-cache"])
  expect(await get("/assets/a-1234.js")).toEqual([
    200,
    "text/javascript; charset=utf-8",
    "public, max-age=31536000, immutable",
  ])
  for (const path of [
    "/../outside.js",
    "/%2e%2e/outside.js",
    "/..%2foutside.js",
    "/assets/../../outside.js",
    "/assets",
    "/notes.md",
  ]) {
    expect([path, (await get(path))[0]]).toEqual([path, 404])
  }
})

test("without a page, the server says so", async () => {
  const { server, request } = serve()
  expect(await (await server.fetch(request("GET", "/"))).text()).toContain("this build has no page")
})
