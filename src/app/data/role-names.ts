import { HeadwaterError } from '../../runtime/errors.ts'

/** The parts of a node, each with its own work, in the order in which they start: whoever asks the API finds the others. */
export const ROLE_NAMES = ['crawler', 'matcher', 'publisher', 'api'] as const
export type RoleName = (typeof ROLE_NAMES)[number]

const ALL = 'all'

/** `all`, or some of them with commas between them, as `crawler,matcher`; throws USAGE. */
export function parseRoles(text: string): readonly RoleName[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => name !== ALL && !isRoleName(name))
  if (unknown !== undefined) {
    const known = ROLE_NAMES.join(', ')
    throw new HeadwaterError('USAGE', `"${unknown}" is no role; give all, or some of ${known}, as crawler,matcher`)
  }
  return names.includes(ALL) ? ROLE_NAMES : ROLE_NAMES.filter((name) => names.includes(name))
}

function isRoleName(name: string): name is RoleName {
  return ROLE_NAMES.some((known) => known === name)
}
