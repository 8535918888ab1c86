// A page and a shell on one session, as real processes: whoever moves it, both show one conversation, the files are those of that
// conversation, and undo leads back through states that existed.
import { expect, test } from "vitest"
import { naiveLog } from "./naive-log.ts"
import { headOf, RUN, type Served, type Server, startServer, World } from "./world.ts"

const NAMES = ["one", "two", "three"]
const FILES = { files: "restore" }

/** Three rounds, each with its file, made in the page. */
async function opened(world: World, server: Server) {
  const created = await server.ask("/sessions", { cwd: world.cwd })
  const { id, file } = created as Served & { id: string; file: string }
  /** The head that the page shows. */
  let shown: string | null = null
  const page = async (what: string, body: object = {}) => {
    const answer = await server.ask(`/sessions/${id}/${what}`, { via: "page", expects: shown, ...body })
    const head = headOf(answer)
    if (head !== undefined) shown = head
    return answer
  }
  const prompt = async (text: string) => {
    const answer = await server.ask(`/sessions/${id}/converse`, { text, wait: true, expects: shown })
    const head = headOf(answer)
    if (head !== undefined) shown = head
    return answer
  }
  for (const [at, name] of NAMES.entries())
    expect(await prompt(`create ${name}.txt with ${at + 1}`)).toMatchObject({ status: 200, outcome: "done" })
  return {
    page,
    prompt,
    shell: (...words: string[]) => world.asks(...words, "-s", id),
    run: (text: string) => world.shell(...RUN, "-r", id, text),
    operations: async () => {
      const said = await server.ask(`/sessions/${id}/operations`)
      return (said as unknown as { operations: { id: string; kind: string; next: string | null }[] }).operations
    },
    /** Both front ends show these rounds, and their files are there. */
    stands: async (...names: string[]) => {
      const log = naiveLog(file)
      expect(log.wrong).toEqual([])
      const prompts = names.map((name) => expect.stringContaining(`create ${name}.txt`))
      expect(log.prompts).toEqual(prompts)
      const inPage = (await server.ask(`/sessions/${id}/prompts`)) as unknown as { prompts: { text: string }[] }
      expect(inPage.prompts.map(({ text }) => text)).toEqual(log.prompts)
      expect(await server.ask(`/sessions/${id}/tree?limit=1`)).toMatchObject({ head: log.head })
      const inShell = (await world.asks("prompts", "-s", id)) as unknown as { text: string }[]
      expect(inShell.map(({ text }) => text)).toEqual(log.prompts)
      expect(Object.keys(world.files()).sort()).toEqual(names.map((name) => `${name}.txt`).sort())
    },
  }
}

const plays = new Map<string, (made: Awaited<ReturnType<typeof opened>>) => Promise<void>>()
const play = (name: string, make: (made: Awaited<ReturnType<typeof opened>>) => Promise<void>) => plays.set(name, make)

play(
  "shell back, page back from what it showed: refused with a plan; asked again, two rounds are gone, and undo brings back each",
  async ({ page, shell, stands }) => {
    expect(await shell("back", "--files", "restore")).toMatchObject({ outcome: "moved" })
    await stands("one", "two")
    const refused = await page("back", FILES)
    expect(refused).toMatchObject({ status: 409, code: "moved-elsewhere", plan: { outcome: "planned" } })
    await stands("one", "two")
    expect(await page("back", FILES)).toMatchObject({ status: 200, outcome: "moved" })
    await stands("one")
    expect(await page("undo")).toMatchObject({ outcome: "moved" })
    await stands("one", "two")
    expect(await shell("undo")).toMatchObject({ outcome: "moved" })
    await stands("one", "two", "three")
  },
)

play(
  "page back, shell back, page undo, shell undo: the states in between, backwards",
  async ({ page, shell, stands }) => {
    expect(await page("back", FILES)).toMatchObject({ outcome: "moved" })
    await stands("one", "two")
    expect(await shell("back", "--files", "restore")).toMatchObject({ outcome: "moved" })
    await stands("one")
    expect(await page("undo")).toMatchObject({ status: 409, code: "moved-elsewhere" })
    expect(await page("undo")).toMatchObject({ outcome: "moved" })
    await stands("one", "two")
    expect(await shell("undo")).toMatchObject({ outcome: "moved" })
    await stands("one", "two", "three")
  },
)

play(
  "shell back, page prompt: not sent silently on the branch that was left, and sent again where the shell went",
  async ({ prompt, shell, stands }) => {
    expect(await shell("back", "--files", "restore")).toMatchObject({ outcome: "moved" })
    expect(await prompt("create four.txt with 4")).toMatchObject({ status: 409, code: "moved-elsewhere" })
    await stands("one", "two")
    expect(await prompt("create four.txt with 4")).toMatchObject({ status: 200, outcome: "done" })
    await stands("one", "two", "four")
  },
)

play("page back, shell prompt, page prompt: one line of conversation", async ({ page, prompt, run, stands }) => {
  expect(await page("back", FILES)).toMatchObject({ outcome: "moved" })
  expect(await run("create five.txt with 5")).toMatchObject({ exit: 0 })
  await stands("one", "two", "five")
  expect(await prompt("create six.txt with 6")).toMatchObject({ status: 409, code: "moved-elsewhere" })
  expect(await prompt("create six.txt with 6")).toMatchObject({ status: 200, outcome: "done" })
  await stands("one", "two", "five", "six")
})

play("shell back, page undo: what the page announces is what happens", async ({ page, shell, operations, stands }) => {
  const { operation } = await shell("back", "--files", "restore")
  expect((await operations()).find(({ next }) => next === "undo")).toMatchObject({ id: operation, kind: "back" })
  expect(await page("undo")).toMatchObject({ status: 409, code: "moved-elsewhere" })
  expect(await page("undo")).toMatchObject({ outcome: "moved" })
  await stands("one", "two", "three")
  expect((await operations()).find(({ next }) => next === "redo")).toMatchObject({ id: operation })
  expect(await shell("redo")).toMatchObject({ outcome: "moved" })
  await stands("one", "two")
})

play(
  "shell goto to the first prompt, page redo: nothing to redo, and undo in the page brings back all rounds",
  async ({ page, shell, stands }) => {
    expect(await shell("goto", "@1", "--files", "restore")).toMatchObject({ outcome: "moved" })
    await stands()
    await page("redo")
    expect(await page("redo")).toMatchObject({ code: "nothing-to-redo" })
    await stands()
    expect(await page("undo")).toMatchObject({ outcome: "moved" })
    await stands(...NAMES)
  },
)

test("each has its own session and folder; the page's server is one", async () => {
  const world = new World()
  const server = await startServer(world)
  for (const [n, [name, make]] of [...plays].entries()) {
    const made = await opened(world.inFolder(`work-${n}`), server)
    await make(made).catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    })
  }
  expect(await world.shell("doctor")).toMatchObject({ exit: 0 })
  expect(await server.stop()).toMatchObject({ exit: 0, err: "" })
  expect(world.leftovers()).toEqual([])
})
