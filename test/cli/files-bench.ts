// A project in which the practice model works, and retcon called in process on what it did.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect } from "vitest"
import type { Cli } from "../../src/cli/port/cli.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { Bench, type BenchOptions, type Ran } from "./bench.ts"

export class FilesBench extends Bench {
  env: Record<string, string> = { PATH: process.env.PATH ?? "" }

  /** Files have real times, so the clock is real as well. */
  override cli(...given: Parameters<Bench["cli"]>): Cli {
    const sessionOptions = { ...systemOptions(), durability: "fast" as const }
    return { ...super.cli(...given), env: this.env, now: () => Date.now(), sessionOptions }
  }

  /** Prompts of one session, one after the other, carried out without asking. */
  async ask(...prompts: string[]): Promise<Ran[]> {
    const all: Ran[] = []
    for (const prompt of prompts) {
      const goOn = existsSync(join(this.home, "sessions")) ? ["--continue"] : []
      const ran = await this.run(["run", "--mode", "yolo", ...goOn, prompt])
      expect([prompt, ran.exit]).toEqual([prompt, 0])
      all.push(ran)
    }
    return all
  }

  /** Calls retcon; it must succeed. */
  async done(words: string, options: BenchOptions = {}): Promise<string> {
    const ran = await this.run(words.split(" "), options)
    expect({ words, exit: ran.exit, err: ran.err }).toMatchObject({ words, exit: 0 })
    return ran.out
  }

  put(path: string, text: string): void {
    mkdirSync(dirname(join(this.cwd, path)), { recursive: true })
    writeFileSync(join(this.cwd, path), text)
  }

  get(path: string): string | undefined {
    return existsSync(join(this.cwd, path)) ? readFileSync(join(this.cwd, path), "utf8") : undefined
  }

  remove(path: string): void {
    rmSync(join(this.cwd, path), { recursive: true })
  }
}
