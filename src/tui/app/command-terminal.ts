// What slash commands ask of the terminal, on the screen: moves are settled on pages, and answers are blocks of the conversation.
import type { CommandTerminal } from "../commands/command.ts"
import { COMMANDS } from "../commands/commands.ts"
import { openHelp } from "../overlay/help.ts"
import { openModels } from "../overlay/models.ts"
import { settledMove } from "../overlay/move/settle.ts"
import { isChosen } from "../words/move-line.ts"
import type { App } from "./app.ts"
import { continueThere } from "./continue-there.ts"
import {
  openBranchList,
  openComparePage,
  openDiffPage,
  openRewindList,
  openSearchPage,
  openSessionList,
  openTreePage,
} from "./overlays.ts"
import { tellMove } from "./tell-move.ts"

export function commandTerminal(app: App): CommandTerminal {
  const { deps, theme, screen, progress } = app
  return {
    theme,
    get session() {
      return app.session
    },
    status: () => app.view.status(),
    changed: () => app.view.changed(),
    say: (level, text, hint) => app.say(level, text, hint),
    print: (lines) => app.print(lines),
    fail: (error) => app.fail(error),
    during: (what, work, stop) => progress.during(what, work, stop),
    async move({ doing, did, line, make, files }) {
      const move = (more: Parameters<typeof make>[0]) => progress.during(doing, make({ ...line.more, ...more }))
      const asked = files === undefined ? {} : { when: "always" as const, ...files }
      const answer = await (isChosen(line) ? move({}) : settledMove(screen, app.session, move, asked))
      tellMove(app, did, answer)
      return answer
    },
    keep: () => app.keep(),
    startNew: async () => app.open(await deps.host.draft({ cwd: deps.cwd }), "draft"),
    open: async (session) => app.open(await deps.host.open(session), "resumed"),
    show: {
      rewind: () => openRewindList(app),
      tree: () => openTreePage(app),
      branches: () => openBranchList(app),
      diff: (entry) => openDiffPage(app, entry),
      compare: (request) => openComparePage(app, request),
      search: async (words) => void ((await openSearchPage(app, words)) === "resume" && (await continueThere(app))),
      sessions: async () => void (await openSessionList(app, app.session.id)),
      async models(offered) {
        if (offered !== undefined) return openModels(screen, Promise.resolve(offered.items), offered)
        if (deps.models !== undefined) return openModels(screen, deps.models(), app.view.status())
        app.say("info", `The model is ${app.view.status().model}.`, "Choose one with: /model provider/name")
        return undefined
      },
      help: () => openHelp(screen, { commands: COMMANDS, keys: app.keys }),
    },
    services: deps,
    quit: () => app.quit(),
  }
}
