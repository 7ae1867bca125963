import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createLetterIntake } from '../../src/app/letters/letter-intake.ts'
import { createLetterSources } from '../../src/app/letters/letter-sources.ts'
import { type DoorLimits, openSmtpDoor, type SmtpDoor } from '../../src/app/letters/smtp-door.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import { DOMAIN, sendRaw } from './letter-node.ts'

const LETTER = 'From: ada@weekly.example\r\nMessage-ID: <1@weekly.example>\r\n\r\nx\r\n'

let door: SmtpDoor
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await door.close()
})

/** Opens it with these limits, for one source. */
async function open(limits: Partial<DoorLimits>): Promise<string> {
  const { store } = createMemoryStore({ clock: systemClock })
  const clock = systemClock
  const intake = createLetterIntake({ store, domain: DOMAIN, clock })
  const place = { host: '127.0.0.1', port: 0, domain: DOMAIN, maxLetterBytes: 1_000, certificate: null }
  door = await openSmtpDoor({ ...place, limits }, { intake, clock, logger: silentLogger })
  const sources = createLetterSources({ store, domain: () => DOMAIN, clock })
  return (await sources.add({ name: 'The Weekly' }, null)).address ?? ''
}

/** The first thing that it says to a new connection, which stays. */
async function greeting(): Promise<string> {
  const socket = connect(door.port, '127.0.0.1')
  sockets.push(socket)
  const [text] = await once(socket, 'data')
  return String(text).slice(0, 3)
}

describe('the door has room for', () => {
  it('so many connections of one address', async () => {
    await open({ connectionsPerAddress: 2 })
    expect([await greeting(), await greeting(), await greeting()]).toEqual(['220', '220', '421'])
    const [first] = sockets
    first?.destroy()
    await expect.poll(greeting).toBe('220')
  })

  it('so many connections in all', async () => {
    await open({ connections: 1 })
    expect([await greeting(), await greeting()]).toEqual(['220', '421'])
  })

  it('each of them for a while', async () => {
    await open({ connectionMs: 300 })
    expect(await greeting()).toBe('220')
    const [socket] = sockets
    if (socket !== undefined && !socket.closed) await once(socket, 'close')
    expect(socket?.closed).toBe(true)
  })

  it('letters up to its memory', async () => {
    const address = await open({ lettersInMemory: 0.01 })
    expect(await sendRaw(door.port, LETTER, address)).toMatchObject({ code: 452 })
  })

  it('so many letters of a sender, and others beside', async () => {
    const address = await open({ lettersPerSenderHour: 1 })
    expect(await sendRaw(door.port, LETTER, address)).toMatchObject({ code: 250 })
    expect(await sendRaw(door.port, LETTER, address)).toMatchObject({ code: 450 })
    expect(await sendRaw(door.port, LETTER, address, 'bounce-2@weekly.example')).toMatchObject({ code: 250 })
  })
})
