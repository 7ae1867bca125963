import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLetterSources } from '../../src/app/letters/letter-sources.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { addOneSource } from '../../src/store/add-one-source.ts'
import { eventually } from '../support/patience.ts'
import { DOMAIN, type LetterNode, readFeed, sendRaw, startLetterNode } from './letter-node.ts'

let stage: LetterNode
beforeAll(async () => {
  stage = await startLetterNode({ maxLetter: 2_000_000 })
})
afterAll(() => stage.close())

let count = 0
const letter = (fields = '', body = 'Hello.') =>
  `From: ada@weekly.example\r\nSubject: s\r\nMessage-ID: <${++count}@weekly.example>\r\n${fields}\r\n${body}\r\n`
const port = () => stage.node.smtpPort ?? 0
const sources = () => createLetterSources({ store: stage.node.data.store, domain: () => DOMAIN, clock: systemClock })

/** What the server says to these lines, typed one after the other. */
async function converse(lines: readonly string[]): Promise<readonly string[]> {
  const socket = connect(port(), '127.0.0.1')
  const answers: string[] = []
  const heard = createInterface({ input: socket })[Symbol.asyncIterator]()
  const hear = async () => {
    for (let line = await heard.next(); !line.done; line = await heard.next()) {
      answers.push(line.value)
      if (/^\d{3} /.test(line.value)) return
    }
  }
  await hear()
  for (const line of lines) {
    socket.write(`${line}\r\n`)
    await hear()
  }
  socket.destroy()
  return answers
}

describe('the door for letters', () => {
  it.each([
    ['somebody elsewhere', () => 'someone@elsewhere.example'],
    ['an address of its domain that nobody has', () => `postmaster@${DOMAIN}`],
    ['one that looks like those of sources', () => `0123456789abcdef0123456789abcdef@${DOMAIN}`],
    ['a route through it', () => `someone%elsewhere.example@${DOMAIN}`],
    ['a source at another domain', (own: string) => own.replace(DOMAIN, 'elsewhere.example')],
  ])('never relays to %s', async (_name, recipient) => {
    const { address } = await stage.addBox()
    expect(await sendRaw(port(), letter(), recipient(address))).toEqual({
      code: 550,
      text: '5.1.1 No such mailbox here',
    })
  })

  it('answers a revoked and a renewed address like one that never was', async () => {
    const revoked = await stage.addBox()
    await sources().revoke(revoked.id)
    const renewed = await stage.addBox()
    const { address } = await sources().renew(renewed.id)
    const never = await sendRaw(port(), letter(), `${'0'.repeat(32)}@${DOMAIN}`)
    expect(await sendRaw(port(), letter(), revoked.address)).toEqual(never)
    expect(await sendRaw(port(), letter(), renewed.address)).toEqual(never)
    expect(await sendRaw(port(), letter(), address ?? '')).toMatchObject({ code: 250 })
    expect(await sendRaw(port(), letter(), (address ?? '').toUpperCase())).toMatchObject({ code: 250 })
  })

  it('takes letters of the first sender alone, and says why it refused another', async () => {
    const box = await stage.addBox()
    expect(await sendRaw(port(), letter(), box.address)).toMatchObject({ code: 250 })
    const other = letter().replace('ada@', 'eve@')
    expect(await sendRaw(port(), other, box.address)).toMatchObject({
      code: 550,
      text: expect.stringContaining('5.7.1'),
    })
    const seen = await sources().find(box.id)
    expect(seen).toMatchObject({
      senders: ['ada@weekly.example'],
      lastRefusal: { code: 'LETTER_SENDER_REFUSED', message: expect.stringContaining('eve@weekly.example') },
    })
    await sources().allow(box.id, ['@weekly.example'])
    expect(await sendRaw(port(), other, box.address)).toMatchObject({ code: 250 })
    expect(await sendRaw(port(), letter().replace('From: ada@weekly.example\r\n', ''), box.address)).toMatchObject({
      code: 550,
    })
    await eventually(async () => (await readFeed(stage.node, box.id)).length === 2)
    expect(await readFeed(stage.node, box.id)).toHaveLength(2)
    expect((await sources().find(box.id))?.lastRefusal).toMatchObject({ code: 'LETTER_SENDER_REFUSED' })
  })

  it('has nobody log in, takes one recipient at a time, and closes on who guesses', async () => {
    const [one, two] = [await stage.addBox(), await stage.addBox()]
    const said = await converse([
      'EHLO client.example',
      'AUTH PLAIN AGEAYg==',
      'VRFY root',
      'MAIL FROM:<ada@weekly.example>',
      `RCPT TO:<${one.address}>`,
      `RCPT TO:<${two.address}>`,
      ...Array.from({ length: 6 }, (_, k) => `RCPT TO:<guess${k}@${DOMAIN}>`),
    ])
    expect(said[0]).toMatch(new RegExp(`^220 ${DOMAIN}`))
    expect(said.join('\n')).not.toMatch(/AUTH|STARTTLS/)
    expect(said.filter((line) => /^[45]/.test(line)).map((line) => line.slice(0, 3))).toEqual([
      '500',
      '452',
      '452',
      '452',
      '452',
      '452',
      '452',
      '452',
    ])
    const guesses = Array.from({ length: 7 }, (_, k) => `RCPT TO:<guess${k}@${DOMAIN}>`)
    const guessing = await converse(['EHLO x', 'MAIL FROM:<a@b.example>', ...guesses])
    expect(guessing.slice(-6).map((line) => line.slice(0, 3))).toEqual(['550', '550', '550', '550', '550', '421'])
  })

  it('says that a paused source is to be tried again', async () => {
    const box = await stage.addBox()
    await stage.node.data.store.updateSource(box.id, { paused: true })
    expect(await sendRaw(port(), letter(), box.address)).toMatchObject({ code: 450 })
  })
})

describe('a mail bomb', () => {
  const parts = (many: number) =>
    letter(
      'Content-Type: multipart/mixed; boundary=b\r\n',
      `${'--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(many)}--b--`,
    )
  const nested = (deep: number) => {
    const levels = Array.from(
      { length: deep },
      (_, k) => `Content-Type: multipart/mixed; boundary=b${k}\r\n\r\n--b${k}\r\n`,
    )
    return letter('', '').replace(/\r\n\r\n$/, `\r\n${levels.join('')}Content-Type: text/plain\r\n\r\nx\r\n`)
  }

  it.each([
    ['a thousand parts', () => parts(1_000), 554],
    ['a hundred multiparts within each other', () => nested(100), 554],
    ['a megabyte of headers', () => letter(`X: ${'y'.repeat(70)}\r\n`.repeat(15_000)), 554],
    ['more bytes than the limit', () => letter('', `${'z'.repeat(998)}\r\n`.repeat(3_000)), 552],
  ])('of %s is refused, and a usual letter is taken after it', async (_name, bomb, code) => {
    const box = await stage.addBox()
    expect(await sendRaw(port(), bomb(), box.address)).toMatchObject({ code })
    expect(await sendRaw(port(), letter(), box.address)).toMatchObject({ code: 250 })
    await eventually(async () => (await readFeed(stage.node, box.id)).length === 1)
    expect(await readFeed(stage.node, box.id)).toHaveLength(1)
  })

  it('of two hundred megabytes without an announced size does not fill the memory', async () => {
    const box = await stage.addBox()
    const socket = connect(port(), '127.0.0.1')
    const heard = createInterface({ input: socket })[Symbol.asyncIterator]()
    const until = async (code: string) => {
      for (let line = await heard.next(); !line.done; line = await heard.next())
        if (line.value.startsWith(`${code} `)) return line.value
      return null
    }
    const say = async (line: string, code: string) => {
      socket.write(`${line}\r\n`)
      return until(code)
    }
    await until('220')
    await say('HELO x', '250')
    await say('MAIL FROM:<a@b.example>', '250')
    await say(`RCPT TO:<${box.address}>`, '250')
    await say('DATA', '354')
    const before = process.memoryUsage()
    const chunk = Buffer.from(`${'z'.repeat(998)}\r\n`.repeat(1_000))
    let most = 0
    for (let sent = 0; sent < 200; sent++) {
      if (!socket.write(chunk)) await once(socket, 'drain')
      const { external, heapUsed } = process.memoryUsage()
      most = Math.max(most, external + heapUsed - before.external - before.heapUsed)
    }
    expect(await say('\r\n.', '552')).toMatch(/5\.3\.4/)
    socket.destroy()
    expect(most).toBeLessThan(100_000_000)
  })

  it('of letters is slowed down for the source alone', async () => {
    const [flooded, other] = [await stage.addBox(), await stage.addBox()]
    const lines = Array.from({ length: 121 }, () => ['RSET', 'MAIL FROM:<a@b.example>', `RCPT TO:<${flooded.address}>`])
    const said = await converse(['EHLO x', ...lines.flat()])
    expect(said.at(-1)).toMatch(/^450 4\.7\.1/)
    expect(said.filter((line) => line.startsWith('4'))).toHaveLength(1)
    expect(await sendRaw(port(), letter(), other.address)).toMatchObject({ code: 250 })
  })
})

describe('a node that is to take letters', () => {
  it('ends with a coded error where the port is taken', async () => {
    const taken = createServer()
    taken.listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const smtpIn = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    await expect(startLetterNode({ smtpIn })).rejects.toMatchObject({ code: 'PORT_IN_USE' })
    taken.close()
  })

  it('never has the crawler look at a source for letters', async () => {
    const box = await stage.addBox()
    expect(await sendRaw(port(), letter(), box.address)).toMatchObject({ code: 250 })
    const { store } = stage.node.data
    // One that is fetched, and fails, shows when the crawler has taken both requests.
    const fetched = withSourceDefaults({ url: 'http://127.0.0.1:9/feed' })
    const { source: beside } = await addOneSource(store, fetched, systemClock.now())
    await store.requestRefresh([box.id, beside.id], systemClock.now())
    await eventually(async () => (await store.source(beside.id))?.state.lastCheckAt != null)
    const source = await store.source(box.id)
    expect(source?.state).toMatchObject({ status: 'active', nextCheckAt: null, failureCount: 0, lastError: null })
    expect(await store.observations(box.id, { limit: 10 })).toEqual([])
  })
})
