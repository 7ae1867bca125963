import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HEADWATER, runHeadwater } from '../e2e/cli-process.ts'
import { openTerminal, type Terminal } from './terminal.ts'

// A site that takes its time: it answers when the test says so, also where that is before a slow machine has asked.
let answer = () => {}
let mayAnswer = Promise.resolve()
let onRequest = () => {}
const site = createServer(async (_request, response) => {
  onRequest()
  await mayAnswer
  response.end('<rss version="2.0"><channel><title>Slow</title></channel></rss>')
})
function holdAnswers(): void {
  mayAnswer = new Promise((resolve) => {
    answer = resolve
  })
}
const folder = mkdtempSync(join(tmpdir(), 'headwater-waiting-'))
let terminal: Terminal
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/feed.xml`
  terminal = openTerminal(folder)
})
afterAll(() => {
  terminal.close()
  site.close()
  site.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

it('a command that takes longer than two seconds says so on a terminal, until it has something to say', async () => {
  holdAnswers()
  terminal.type(`${process.execPath} ${HEADWATER} parse ${url} --allow-range loopback`, 'Enter')
  const [first] = /headwater parse … \d+ s/.exec(await terminal.until(/headwater parse … \d+ s/))!
  await terminal.until(new RegExp(`(?!${first})headwater parse … \\d+ s`))
  answer()
  const shown = await terminal.until(/Slow +\[rss/)
  expect(shown).not.toContain('headwater parse …')
})

it('nothing of it is in what is piped', async () => {
  // Longer than the two seconds after which a person would see something.
  holdAnswers()
  onRequest = () => setTimeout(answer, 3_000)
  const running = runHeadwater(folder, ['parse', url, '--allow-range', 'loopback'])
  const { code, out, err } = await running
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('Slow')
  expect(out).not.toMatch(/…|\u001b/)
})

it('colours are for terminals: none in a pipe, unless FORCE_COLOR asks for them', async () => {
  const doctor = async (env: NodeJS.ProcessEnv) => (await runHeadwater(folder, ['doctor', '--data', 'none'], env)).out
  expect(await doctor({ NO_COLOR: '', FORCE_COLOR: '' })).not.toContain('\u001b')
  expect(await doctor({ NO_COLOR: '', FORCE_COLOR: '1' })).toContain('\u001b[32m')
})
