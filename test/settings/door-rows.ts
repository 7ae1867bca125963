import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect } from 'vitest'
import { fastClock } from '../../lab/live/fast-clock.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { onNode, type SettingsStage } from './one-node.ts'
import { row, type SettingRow } from './setting-row.ts'

type Flags = Readonly<Record<string, unknown>>

/** How many of so many idle connections the node leaves open. */
async function leftOpen(flags: Flags, count: number, address = '127.0.0.1'): Promise<number> {
  return onNode({ host: '0.0.0.0', ...flags }, async ({ node }) => {
    const sockets: Socket[] = []
    for (let k = 0; k < count; k++) {
      const socket = connect(node.port, address).on('error', () => {})
      sockets.push(socket)
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
    }
    await systemClock.sleep(1_000)
    const open = sockets.filter((socket) => !socket.closed && !socket.readableEnded && !socket.destroyed).length
    for (const socket of sockets) socket.destroy()
    return open
  })
}

const OUTSIDE = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

/** Attempts are forgiven as time passes: on a busy machine fourteen of them take minutes. */
const SLOW = 0.001

/** Wrong passwords for many accounts, said to come from as many addresses: how many are told to wait. */
async function retryAfterOf(flags: Flags): Promise<number> {
  const attempt = async ({ node }: SettingsStage) => {
    let waits = 0
    for (let k = 0; k < 14; k++) {
      const headers = { 'x-headwater': '1', 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${k}` }
      const body = JSON.stringify({ name: `nobody${k}`, password: 'wrong' })
      const { status } = await fetch(`${node.url}/api/session`, { method: 'POST', headers, body })
      if (status === 429) waits++
    }
    return waits
  }
  return onNode(flags, attempt, fastClock(systemClock.now(), SLOW))
}

/** Who may come in. */
export const DOOR_ROWS: readonly SettingRow[] = [
  row('maxConnections', {
    values: [10, 1_000],
    effect: (flags) => leftOpen(flags, 40),
    shows: (few, many) => {
      expect(few).toBeLessThanOrEqual(10)
      expect(many).toBe(40)
    },
  }),
  row('maxConnectionsPerAddress', {
    values: [3, 100],
    effect: (flags) => leftOpen(flags, 20, OUTSIDE),
    shows: (few, many) => {
      expect(many).toBe(20)
      // A machine that has no address but loopback cannot show it: that one is not counted.
      if (OUTSIDE === undefined) console.warn('maxConnectionsPerAddress is not shown: no address but loopback')
      else expect(few).toBeLessThanOrEqual(3)
    },
  }),
  row('hub', {
    values: [false, true],
    effect: (flags) => onNode(flags, async ({ node }) => (await fetch(`${node.url}/hub`, { method: 'POST' })).status),
    shows: (nobody, hub) => {
      expect(nobody).toBe(405)
      expect(hub).toBe(400)
    },
  }),
  row('network', {
    values: [false, true],
    effect: (flags) => onNode(flags, async ({ node }) => (await fetch(`${node.url}/.well-known/headwater`)).status),
    shows: (nothing, profile) => {
      expect(nothing).toBe(404)
      expect(profile).toBe(200)
    },
  }),
  row('trustProxy', {
    values: [[], ['loopback']],
    effect: retryAfterOf,
    shows: (nobody, loopback) => {
      expect(nobody).toBeGreaterThan(0)
      expect(loopback).toBe(0)
    },
  }),
]
