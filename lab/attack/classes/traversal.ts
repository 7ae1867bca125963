import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttackClass } from '../attack.ts'
import { rss, serving } from '../documents.ts'
import { inParallel, sampleEvenly } from '../in-parallel.ts'
import { type AttackedNode, NEAR } from '../stage.ts'

/** A secret that lies beside the data folder; no answer may hold it. */
const SECRET = 'the-secret-of-the-machine'

export const traversal: AttackClass = {
  name: 'traversal',
  promise: 'No path in an address, a feed name or an output leads out of the folders that are meant for it',
  async run(stage, effort) {
    const secretFile = join(stage.folder, 'secret.txt')
    writeFileSync(secretFile, SECRET)
    const server = await stage.startServer(serving(() => rss('plain', [{ id: 'one' }, { id: 'two' }])))
    const node = await stage.startNode({ flags: NEAR })
    writeFileSync(join(node.dataDir, 'secret.txt'), SECRET)
    const hits: string[] = []
    const paths = sampleEvenly(readPaths(secretFile, 12), effort === 'full' ? Number.POSITIVE_INFINITY : 300)
    await readAll(node, paths, hits)
    const before = outside(stage.folder)
    await node.owner.must('POST', '/api/queries', { text: 'CREATE FEED out AS RETURN ALL;' })
    const outputs = writePaths(stage.folder)
    for (const path of outputs) await subscribe(node, path)
    const names = feedNames()
    for (const name of names) await node.owner.ask('POST', '/api/queries', { body: { text: queryOf(name) } })
    // What is allowed is written, so what is not would have been by now.
    await subscribe(node, 'allowed/out.rss')
    await node.owner.must('POST', '/api/sources', { url: server.url('/'), discover: false })
    const isWritten = () => existsSync(join(node.dataDir, 'files', 'allowed', 'out.rss'))
    if (!(await stage.eventually(isWritten))) throw new Error('no output is written at all')
    const after = outside(stage.folder)
    for (const name of after) if (!before.includes(name)) hits.push(`${name} was written outside of the files folder`)
    if (!node.process.isRunning()) hits.push('the node ended')
    return { tries: paths.length + outputs.length + names.length, hits }
  },
}

/** Spellings of "one folder up", plain and encoded once, twice and wrongly. */
const UPS = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '..\\',
  '..%5c',
  '%252e%252e%252f',
  '..%c0%af',
  '..%ef%bc%8f',
  '....//',
  '.%2e/',
  '..;/',
  '..%00/',
  '%u002e%u002e/',
  '..%e0%80%af',
]
const PREFIXES = [
  '/',
  '/assets/',
  '/feeds/',
  '/feeds/category/',
  '/feeds/source/',
  '/api/',
  '/api/queries/',
  '/api/docs/',
  '/read/',
]

function readPaths(secretFile: string, depth: number): readonly string[] {
  const targets = ['etc/passwd', secretFile.slice(1), 'secret.txt', 'headwater.db', 'package.json', 'data/secret.txt']
  const climbing = PREFIXES.flatMap((prefix) =>
    UPS.flatMap((up) =>
      [1, Math.ceil(depth / 2), depth].flatMap((times) =>
        targets.map((target) => `${prefix}${up.repeat(times)}${target}`),
      ),
    ),
  )
  const absolute = [
    secretFile,
    'file:///etc/passwd',
    '//etc/passwd',
    '/proc/self/environ',
    '/assets//etc/passwd',
  ].flatMap((path) => [path, `/feeds/${encodeURIComponent(path)}.rss`, `/feeds/${encodeURIComponent(path)}`])
  return [...climbing, ...absolute.filter((path) => path.startsWith('/'))]
}

function writePaths(folder: string): readonly string[] {
  const names = ['pwned.rss', 'pwned.jsonl']
  return names.flatMap((name) => [
    `../${name}`,
    `../../${name}`,
    `a/../../${name}`,
    `./../${name}`,
    join(folder, name),
    `/${name}`,
    `..\\${name}`,
    `%2e%2e/${name}`,
    `a/b/../../../${name}`,
    `\0/../${name}`,
    `~/${name}`,
    `../headwater.json`,
    `../headwater.db`,
    `link/../../${name}`,
    `file://${folder}/${name}`,
    `....//${name}`,
    `..;/${name}`,
    `. ./${name}`,
  ])
}

async function subscribe(node: AttackedNode, path: string): Promise<void> {
  await node.owner.ask('POST', '/api/subscriptions', { body: { feed: 'out', output: { kind: 'file', path } } })
  await node.owner.ask('POST', '/api/queries', { body: { text: `SUBSCRIBE out OUTPUT FILE ${JSON.stringify(path)};` } })
}

function feedNames(): readonly string[] {
  return [
    '../x',
    '..%2fx',
    '/etc/x',
    'a/../../x',
    '\\..\\x',
    'x\u0000y',
    '.',
    '..',
    'all',
    'category/x',
    'x.rss',
    'x\r\ny',
  ]
}

function queryOf(name: string): string {
  return `CREATE FEED ${JSON.stringify(name)} AS RETURN ALL;`
}

/** Everything beside the folder of outputs, to see what came. */
function outside(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  // The key is made by the node itself, when the first secret is sealed.
  const isMeant = (name: string) => /data\/(files(\/|$)|headwater\.key$)/.test(name)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !isMeant(name))
}

async function readAll(node: AttackedNode, paths: readonly string[], hits: string[]): Promise<void> {
  await inParallel(8, paths, async (path) => {
    const answer = await node.owner.ask('GET', path)
    if (answer.text.includes(SECRET) || /root:x?:0:0/.test(answer.text)) hits.push(`GET ${path} gives a file away`)
  })
}
