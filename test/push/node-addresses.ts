import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Where the processes of a network stand. */
export interface NodeAddresses {
  readonly how: 'namespaces' | 'loopback'
  /** Why they share one network; null: they do not. */
  readonly note: string | null
  /** Of the sites, which stand on this machine. */
  readonly siteHost: string
  /** What nodes have to be allowed. */
  readonly allowRange: string
  /** An address that only this node has, and what its command begins with. */
  open(node: number): Promise<{ readonly host: string; readonly prefix: readonly string[] }>
  close(): Promise<void>
}

/** A network namespace for each node, all on one bridge; addresses of the loopback network where that is not allowed. */
export async function nodeAddresses(): Promise<NodeAddresses> {
  try {
    return await namespaces()
  } catch (error) {
    return loopback(error instanceof Error ? error.message.trim().slice(0, 200) : String(error))
  }
}

function loopback(note: string): NodeAddresses {
  return {
    how: 'loopback',
    note,
    siteHost: '127.0.0.1',
    allowRange: 'loopback',
    open: async (node) => ({ host: `127.0.20.${1 + node}`, prefix: [] }),
    close: async () => {},
  }
}

/** Of the range for measuring networks (RFC 2544), which nobody has; runs beside each other have another part of it. */
async function namespaces(): Promise<NodeAddresses> {
  const mark = process.pid.toString(36)
  const bridge = `hwn${mark}`
  const net = `198.19.${64 + (process.pid % 64)}`
  const names: string[] = []
  const ip = async (...args: readonly string[]) => void (await run('ip', args))
  const close = async () => {
    for (const name of names.splice(0)) await ip('netns', 'del', name).catch(() => {})
    await ip('link', 'del', bridge).catch(() => {})
  }
  const open: NodeAddresses['open'] = async (node) => {
    const [name, host] = [`headwater-${mark}-${node}`, `${net}.${10 + node}`]
    await ip('netns', 'add', name)
    names.push(name)
    const [outer, inner] = [`hwo${mark}${node}`, `hwi${mark}${node}`]
    await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name)
    await ip('link', 'set', outer, 'master', bridge, 'up')
    await ip('-n', name, 'addr', 'add', `${host}/24`, 'dev', inner)
    for (const device of [inner, 'lo']) await ip('-n', name, 'link', 'set', device, 'up')
    return { host, prefix: ['ip', 'netns', 'exec', name] }
  }
  try {
    await ip('link', 'add', bridge, 'type', 'bridge')
    await ip('addr', 'add', `${net}.1/24`, 'dev', bridge)
    await ip('link', 'set', bridge, 'up')
    // Bridges are allowed in places where namespaces are not.
    await open(0)
    await ip('netns', 'del', names.splice(0)[0] ?? '')
  } catch (error) {
    await close()
    throw error
  }
  return { how: 'namespaces', note: null, siteHost: `${net}.1`, allowRange: `${net}.0/24`, open, close }
}
