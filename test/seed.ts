// Properties try the same cases in every run, so that what passed once passes again; `npm run soak` tries new ones, and more.
import * as fc from "fast-check"

const seed = process.env.RETCON_TEST_SEED
fc.configureGlobal({ seed: seed === undefined ? 20_240_229 : Number(seed) })

/** Whether tests that can try as much as one likes shall try much. */
export const isSoak = seed !== undefined
