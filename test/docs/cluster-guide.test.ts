import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OwnServer, ownServer } from '../support/postgres.ts'
import { type DocsStage, openDocsStage } from './stage.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/cluster.md'), 'utf8')

/** Every line of the guide that is for a shell, without its comment. */
const COMMANDS = [...GUIDE.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
  block
    .split('\n')
    .map((line) => line.replace(/\s+#\s.*$/, ''))
    .filter((line) => line !== ''),
)

let server: OwnServer
let stage: DocsStage
beforeAll(async () => {
  ;[server, stage] = await Promise.all([ownServer(), openDocsStage()])
  // What somebody has who outgrows it.
  expect(await stage.run(`headwater source add ${stage.site.url('/news.xml')}`)).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await stage?.close()
  await server?.stop()
})

/** Names of the guide, as they are here; the server asks for no password on its socket. */
function asHere(command: string): string {
  const hosts = (list: string) => list.split(',').map((name, place) => (place === 0 ? server.host : `/nowhere/${name}`))
  return command
    .replace(/postgres:\/\/me:secret@([\w.,]+)\/(\w+)/g, (_, list: string, database: string) => {
      return `'postgres://me@/${database}?host=${hosts(list).map(encodeURIComponent).join(',')}'`
    })
    .replace('host=db1.example.org', `host=${server.host}`)
    .replace('--host 0.0.0.0', '--host 127.0.0.1')
}

/** Until it says that it works (and not what the one before has said); then it is ended as a service is. */
const served = (command: string) =>
  `rm -f said; touch said; ${command} > said 2>&1 & pid=$!; until grep -q '^Headwater ' said; do kill -0 $pid || { cat said; exit 1; }; sleep 0.1; done; kill $pid; wait $pid`

it('every command of docs/cluster.md does what it says, one after the other', async () => {
  const settings = [
    `export PATH='${server.bin}':"$PATH" PGHOST='${server.host}' PGUSER=${server.user} PGDATABASE=postgres`,
  ]
  const said = new Map<string, string>()
  for (const command of COMMANDS) {
    if (command.startsWith('export ')) {
      settings.push(asHere(command))
      continue
    }
    const line = asHere(command)
    const ran = await stage.run([...settings, line.startsWith('headwater serve') ? served(line) : line].join('; '))
    expect([command, ran.code, ran.code === 0 ? '' : `${ran.out}${ran.err}`]).toEqual([command, 0, ''])
    said.set(command, ran.out)
  }
  const statuses = [...said].filter(([command]) => command.startsWith('headwater cluster status'))
  expect(statuses).toHaveLength(3)
  // The restored one is the same cluster; and of a server that waits for nothing it is said what that may cost.
  const ids = statuses.map(([, out]) => /^Cluster (\S+)/.exec(out)?.[1])
  expect([new Set(ids).size, ids[0]]).toEqual([1, expect.any(String)])
  for (const [, out] of statuses) expect(out).toContain('Database: WARNING, synchronous_commit is off')
})
