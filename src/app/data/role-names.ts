/** The parts of a node, each with its own work, in the order in which they start: whoever asks the API finds the others. */
export const ROLE_NAMES = ['crawler', 'matcher', 'publisher', 'api'] as const
export type RoleName = (typeof ROLE_NAMES)[number]
