/**
 * What a person wants to be told of: a feed that died, one that floods, a window that overflows, a budget that is too small for
 * the wish, a node that stands still.
 */
export const ALERT_KINDS = ['died', 'floods', 'overflows', 'budget', 'still'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]
