import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { runCommand } from '../support/run-command.ts'

let dataDir: string
let site: LocalServer

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-rules-'))
  site = await startServer((request, response) => {
    const [, name] = /^\/f\/(\w+)\.xml$/.exec(request.url ?? '') ?? []
    if (name === undefined) response.writeHead(404).end()
    else response.end(`<rss version="2.0"><channel><title>${name}</title><item><guid>1</guid></item></channel></rss>`)
  })
})
afterEach(async () => {
  await site.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const run = (...words: string[]) => runCommand(['source', ...words, '--data', dataDir])
const near = ['--allow-range', 'loopback', '--host-spacing', '0s']

it('a rule made on the command line leads to feeds until it is removed', async () => {
  const page = site.url('/people/ann')
  const form = `127.0.0.1:${site.port}/people/{who}`
  expect((await run('rule', 'add', 'People', form, '{origin}/f/{who}.xml')).said).toContain('Added the rule People')
  expect((await run('rule', 'list')).said).toMatch(/People .*people\/\{who\} .*all/)
  const found = await run('discover', page, ...near)
  expect(found.said).toMatch(/^http\S+\/f\/ann\.xml\n {2}ann: rss\S*, 1 items, People\n$/)
  const shown = JSON.parse((await run('discover', page, '--json', ...near)).said)
  expect(shown).toMatchObject([{ url: site.url('/f/ann.xml'), rule: 'People' }])
  const added = await run('add', page, ...near)
  expect(added.said).toContain(`People: ${site.url('/f/ann.xml')}`)
  expect((await run('rule', 'remove', 'People')).code).toBe(0)
  expect(await run('rule', 'remove', 'People')).toMatchObject({ code: 1, said: expect.stringContaining('rule list') })
  expect((await run('discover', page, ...near)).said).toContain('HTTP_NOT_FOUND')
})

it('a rule that cannot be used is refused with what is wrong', async () => {
  const refused = await run('rule', 'add', 'x', 'a.example/{a}', 'https://b.example/{b}')
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('needs {b}') })
})
