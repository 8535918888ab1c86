// How much memory a process takes to open another agent's file; without input, what an empty process takes.
import { answer, given } from "../../child.ts"
import { memory } from "../../memory.ts"

const subject = given() as { file: string; home: string } | { file?: undefined }
if (subject.file !== undefined) {
  const { openFile } = await import("../open-file.ts")
  const log = await openFile(subject.file, subject.home)
  await log.close()
}
answer(memory())
