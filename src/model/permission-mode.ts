// How much the agent may do without asking.

export const PERMISSION_MODES = ["plan", "default", "autoEdit", "yolo"] as const
/**
 * Narrowest first. `plan`: it may only read, and nobody is asked. `default`: reading needs no approval, writing and commands do. `autoEdit`: writing needs none either. `yolo`: nothing
 * inside the workspace does.
 */
export type PermissionMode = (typeof PERMISSION_MODES)[number]

/** The mode that allows less; the first if there is no other. */
export function narrowerMode(mode: PermissionMode, other: PermissionMode | undefined): PermissionMode {
  if (other === undefined) return mode
  return PERMISSION_MODES.indexOf(mode) <= PERMISSION_MODES.indexOf(other) ? mode : other
}
