// With servers that hold every request to what the vendors document: nothing that a person or the agent does is refused.
import { describe, expect, test } from "vitest"
import { VENDORS, type Vendor } from "../provider/fakes/vendors.ts"
import { FLOWS } from "./flows.ts"

describe.each(Object.entries(VENDORS) as [string, Vendor][])("%s", (_, vendor) => {
  test.each(Object.entries(FLOWS))("%s", async (_, flow) => {
    const { server } = await flow(vendor)
    expect(server.refused.map(({ because }) => because)).toEqual([])
  })
})
