// Receives what happens, for someone tracking down a fault.

/** Contract: what is passed in can be printed as JSON. */
export type Trace = (what: { readonly [name: string]: unknown }) => void
