import type { ServerHosts } from './database.ts'

/** How members are connected with the sites and the database, and how one is cut off from the latter. */
export interface Network {
  readonly how: 'namespaces' | 'relay' | 'sockets'
  /** Why it is not done in namespaces; null: it is, or need not be. */
  readonly note: string | null
  /** Where sites may stand, one address for each host. */
  siteAddress(host: number): string
  /** What crawlers and publishers have to be allowed. */
  readonly allowRange: string
  /** Where servers listen beside their sockets; absent: nowhere. */
  readonly listen?: { readonly primary: string; readonly standby: string; readonly from: string }
  /** A member's way to the servers. */
  open(member: string, servers: ServerHosts): Promise<Door>
  close(): Promise<void>
}

export interface Door {
  /** What a member's command begins with. */
  readonly prefix: readonly string[]
  readonly hosts: ServerHosts
  /** null: this member cannot be cut off. */
  readonly cut: (() => Promise<void>) | null
  heal(): Promise<void>
  close(): Promise<void>
}

/** Everybody opens the servers' sockets; nobody can be cut off. */
export function plainNetwork(): Network {
  return {
    how: 'sockets',
    note: null,
    siteAddress: loopbackAddress,
    allowRange: 'loopback',
    open: async (_member, hosts) => ({
      prefix: [],
      hosts,
      cut: null,
      heal: async () => {},
      close: async () => {},
    }),
    close: async () => {},
  }
}

/** All of 127.0.0.0/8 is this machine; an address is a site. */
export function loopbackAddress(host: number): string {
  return `127.0.${1 + Math.floor(host / 200)}.${1 + (host % 200)}`
}
