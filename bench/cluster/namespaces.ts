import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Door, Network } from './network.ts'

const run = promisify(execFile)

/**
 * Addresses for measuring networks (RFC 2544), which nobody has. Every member has two links to this machine: one to the sites and one to
 * the servers, so that it can be cut off from the latter alone.
 */
const RANGE = '198.18.0.0/15'
const SITES = '198.18.255'
const SERVERS = '198.19.255'
const LINKS = { sites: '198.18', servers: '198.19' }
/** Where a link is gone its packets must not leave by another. */
const NOWHERE = ['blackhole', `${LINKS.servers}.0.0/17`, 'metric', '9999']
const LOCAL = [`${SITES}.0/24`, `${SERVERS}.0/24`]

/** Throws where this process may not make any. */
export async function namespaceNetwork(): Promise<Network> {
  const mark = process.pid.toString(36)
  const undo: (readonly string[])[] = []
  const ip = async (...args: readonly string[]) => void (await run('ip', args))
  const close = async () => {
    for (const args of undo.splice(0).reverse()) await ip(...args).catch(() => {})
  }
  const addRoute = async (...route: readonly string[]) => {
    await ip('route', 'add', ...route)
    undo.push(['route', 'del', ...route])
  }
  try {
    for (const range of LOCAL) await addRoute('local', range, 'dev', 'lo')
    await addRoute(...NOWHERE)
  } catch (error) {
    await close()
    throw error
  }
  let count = 0
  return {
    how: 'namespaces',
    note: null,
    siteAddress: (host) => `${SITES}.${1 + host}`,
    allowRange: `${RANGE},loopback`,
    listen: { primary: `${SERVERS}.1`, standby: `${SERVERS}.2`, from: RANGE },
    async open(member, servers): Promise<Door> {
      // Whoever serves is asked from outside, at an address of this machine.
      if (/^(?:api|mixed)/.test(member)) return uncut(servers)
      const number = ++count
      const name = `headwater-${mark}-${number}`
      await ip('netns', 'add', name)
      undo.push(['netns', 'del', name])
      await ip('-n', name, 'link', 'set', 'lo', 'up')
      await link({ ip, name, outer: `hw${mark}s${number}`, net: `${LINKS.sites}.${number}`, to: `${SITES}.0/24` })
      const outer = `hw${mark}d${number}`
      await link({ ip, name, outer, net: `${LINKS.servers}.${number}`, to: `${SERVERS}.0/24` })
      return {
        prefix: ['ip', 'netns', 'exec', name],
        hosts: { primary: `${SERVERS}.1`, standby: `${SERVERS}.2` },
        cut: () => ip('link', 'set', outer, 'down'),
        heal: () => ip('link', 'set', outer, 'up'),
        close: async () => {},
      }
    },
    close,
  }
}

function uncut(hosts: Door['hosts']): Door {
  return { prefix: [], hosts, cut: null, heal: async () => {}, close: async () => {} }
}

interface Link {
  readonly ip: (...args: readonly string[]) => Promise<void>
  readonly name: string
  /** Of the end outside of the namespace; it goes with the namespace. */
  readonly outer: string
  /** The first three numbers of its addresses. */
  readonly net: string
  /** What is reached by it. */
  readonly to: string
}

async function link({ ip, name, outer, net, to }: Link): Promise<void> {
  const inner = outer.replace('hw', 'in')
  await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name)
  await ip('addr', 'add', `${net}.1/30`, 'dev', outer)
  await ip('link', 'set', outer, 'up')
  await ip('-n', name, 'addr', 'add', `${net}.2/30`, 'dev', inner)
  await ip('-n', name, 'link', 'set', inner, 'up')
  await ip('-n', name, 'route', 'add', to, 'via', `${net}.1`)
}
