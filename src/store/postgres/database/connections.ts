/** The parts of a node, as the server sees them. */
const CONNECTIONS_OF_ROLE = { crawler: 4, matcher: 4, publisher: 4, api: 8 } as const

export type StoreRole = keyof typeof CONNECTIONS_OF_ROLE

/** A process with several roles needs no more than this. */
const MOST_CONNECTIONS = 10
/** Of a command beside the node. */
const COMMAND_CONNECTIONS = 4

/** Connections that a process of these roles opens at most; what they add up to must fit into `max_connections`. */
export function connectionsOf(roles: readonly StoreRole[]): number {
  if (roles.length === 0) return COMMAND_CONNECTIONS
  const sum = roles.reduce((total, role) => total + CONNECTIONS_OF_ROLE[role], 0)
  return Math.min(sum, MOST_CONNECTIONS)
}

const APPLICATION = 'headwater'

/** How a process of these roles is called in `pg_stat_activity`. */
export function applicationName(roles: readonly StoreRole[]): string {
  return `${APPLICATION} ${roles.length === 0 ? 'command' : roles.join(',')}`
}

export function rolesOfApplication(name: string): readonly StoreRole[] {
  const [application, roles = ''] = name.split(' ')
  return application === APPLICATION ? roles.split(',').filter(isStoreRole) : []
}

function isStoreRole(name: string): name is StoreRole {
  return Object.hasOwn(CONNECTIONS_OF_ROLE, name)
}
