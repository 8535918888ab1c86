// How much the agent may do without asking.

export const PERMISSION_MODES = ["default", "autoEdit", "yolo"] as const
/** `default`: reads are free, writes and commands ask. `autoEdit`: writes are free too. `yolo`: everything inside is. */
export type PermissionMode = (typeof PERMISSION_MODES)[number]

/** The mode that allows less; the first if there is no second. */
export function narrowerMode(mode: PermissionMode, other: PermissionMode | undefined): PermissionMode {
  if (other === undefined) return mode
  return PERMISSION_MODES.indexOf(mode) <= PERMISSION_MODES.indexOf(other) ? mode : other
}
