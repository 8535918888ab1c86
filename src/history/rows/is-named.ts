import { KIND } from "../../model/record/record.ts"

/** Whether a row with these codes can be found by its id. A line that repeats an id is damaged. */
export function isNamed(codes: number): boolean {
  const kind = codes & 255
  return kind !== KIND.blank && kind !== KIND.damaged && kind !== KIND.amendment
}
