// Another agent's session in its own program, on this terminal.
import type { App } from "./app.ts"

/** Continues the open session there; what was said is shown afterwards. */
export async function continueThere(app: App): Promise<void> {
  const { runThere, host } = app.deps
  const { id, resume, cwd } = app.session
  if (resume === undefined || runThere === undefined) return app.hint("retcon cannot start that agent from here")
  // It is opened again afterwards: meanwhile no program of ours has it open.
  await app.session.close()
  app.screen.end()
  app.deps.terminal.stop()
  try {
    await runThere(resume, cwd)
  } catch (error) {
    app.fail(error)
  }
  app.resume()
  await app.open(await host.open(id), "resumed").catch((error: unknown) => app.fail(error))
}
