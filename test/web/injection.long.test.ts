// Whatever a session holds is shown as text: it cannot become part of the page, load anything, or run.
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import type { Part } from "../../src/model/record/record.ts"
import { openPage, said, servePage, useBrowser } from "./page-server.ts"

const browser = useBrowser()

/** Each would set `window.hit`, load something, or dress up as something else, if it were taken for more than text. */
const HOSTILE = [
  `<img src=x onerror="window.hit = 'img'">`,
  `<svg onload="window.hit = 'svg'"><script>window.hit = 'script'</script></svg>`,
  `<a href="javascript:window.hit='link'">click</a>`,
  `[click](javascript:window.hit='markdown')`,
  `[data](data:text/html,<script>window.hit='data'</script>)`,
  `![pixel](https://elsewhere.example/pixel.png)`,
  `<iframe src="https://elsewhere.example/"></iframe><form action="https://elsewhere.example/"><input name=a></form>`,
  `<style>body { display: none }</style><div style="position:fixed;inset:0">covered</div>`,
  `\u001b]0;title\u0007\u001b[31mred\u001b[0m \u202egnp.exe`,
  `<details open ontoggle="window.hit='toggle'"><summary>x</summary></details>`,
  `<math><mtext><img src=x onerror=window.hit='math'></mtext></math>`,
].join("\n\n")

async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate("String(window.hit)")).toBe("undefined")
  const found = `document.querySelectorAll(".column :is(iframe, script, style, form, svg[onload], [onerror], [onload], [ontoggle])").length`
  expect(await page.evaluate(found)).toBe(0)
  const links = `[...document.querySelectorAll("a")].map((each) => each.href).filter((href) => !/^https?:/.test(href)).length`
  expect(await page.evaluate(links)).toBe(0)
  const images = `[...document.querySelectorAll("img")].filter((each) => !/^(data:image|http:\\/\\/127)/.test(each.src)).length`
  expect(await page.evaluate(images)).toBe(0)
}

test("from what a person, the agent and a tool said, from names of files and tools, and from titles", async () => {
  const path = `<img src=x onerror="window.hit='path'">.txt`
  const at = await servePage([
    { text: HOSTILE, calls: [{ name: "Write", input: { path, content: HOSTILE } }] },
    { text: "Next.", calls: [{ name: "Bash", input: { command: `cat '${path}'` } }] },
    {
      text: "```html\n<script>window.hit = 'code'</script>\n```\n\n| <b>a</b> |\n|---|\n| <img src=x onerror=window.hit='cell'> |",
    },
  ])
  const page = await openPage(browser, at, await said(at, HOSTILE))
  await page.getByText("Next.").waitFor()
  for (const button of await page.getByRole("button", { name: /^(Write|Bash)/ }).all()) await button.click()
  await page.getByRole("region", { name: "Output of Bash" }).waitFor()
  await expectHarmless(page)
  // As text it is all there: in the answer, and in what the tool printed.
  const text = await page.getByRole("region", { name: "Conversation" }).textContent()
  expect(text?.split(`<img src=x onerror="window.hit = 'img'">`).length).toBeGreaterThan(2)
  for (const char of ["\u001b", "\u202e"]) expect(text).not.toContain(char)
  expect(await page.getByRole("link", { name: "pixel" }).getAttribute("rel")).toBe("noopener noreferrer")
})

test("from images: only what is painted is, and nothing else is loaded", async () => {
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit='svg'"/>`).toString("base64")
  const media: Part[] = [
    { type: "image", mediaType: "image/svg+xml", data: svg },
    { type: "image", mediaType: `image/png"onerror="window.hit='type'`, data: "AAAA" },
    { type: "file", mediaType: "text/html", data: svg, name: "<b>name</b>.html" },
  ]
  const at = await servePage([{ text: "Seen." }])
  const page = await openPage(browser, at, await said(at, { text: "Look", media }))
  await page.getByText("Seen.").waitFor()
  await expectHarmless(page)
  await page.getByText("<b>name</b>.html").waitFor()
})

test("from the address: another session's id is no path", async () => {
  const at = await servePage([{ text: "Seen." }])
  const page = await openPage(browser, at, await said(at, "Look"))
  await page.evaluate(`location.hash = "#/s/..%2f..%2fsecret"`)
  await page.getByRole("heading", { name: "Every session is a tree" }).waitFor()
})
