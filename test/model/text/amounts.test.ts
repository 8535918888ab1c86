import { expect, test } from "vitest"
import { count, thousands } from "../../../src/model/text/amounts.ts"

test("numbers have a comma at each thousand", () => {
  expect([0, 7, 999, 1000, 12_345, 1_234_567].map(thousands)).toEqual(["0", "7", "999", "1,000", "12,345", "1,234,567"])
  expect(count(1, "message")).toBe("1 message")
  expect(count(1000, "entry", "entries")).toBe("1,000 entries")
})
