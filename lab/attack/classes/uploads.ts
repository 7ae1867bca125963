import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { AttackClass } from '../attack.ts'
import { rss, serving } from '../documents.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

export const uploads: AttackClass = {
  name: 'uploads',
  promise: 'No file given to restore or import costs the node its data, reads a file of the machine or ends the node',
  async run(stage, effort) {
    const server = await stage.startServer(serving(() => rss('plain', [{ id: 'kept 1' }, { id: 'kept 2' }])))
    const node = await stage.startNode({ flags: NEAR })
    await node.owner.must('POST', '/api/sources', { url: server.url('/'), discover: false })
    await stage.eventually(async () => (await counts(node)).items === 2)
    const hits: string[] = []
    const files = backups(stage, effort === 'full' ? 40 : 4)
    for (const [name, file] of Object.entries(files)) {
      const { status, body } = await node.owner.ask('POST', '/api/restore', { body: file })
      if (status < 400) hits.push(`restore took ${name}`)
      else if (status >= 500) hits.push(`restore of ${name}: ${status} ${body?.code}`)
    }
    const lists = opmls()
    for (const [name, list] of Object.entries(lists)) {
      const { status, text } = await node.owner.ask('POST', '/api/opml', {
        body: list,
        headers: { 'content-type': 'text/x-opml' },
      })
      if (status >= 500 || status === 0) hits.push(`import of ${name}: ${status}`)
      if (/root:x?:0:0/.test(text)) hits.push(`import of ${name} reads files`)
    }
    const listed = await node.owner.ask('GET', '/api/sources?limit=1000')
    if (/root:x?:0:0/.test(listed.text)) hits.push('a name holds a file of the machine')
    for (const { url } of listed.body.sources) if (!/^https?:/.test(url)) hits.push(`${url} became a source`)
    if (!node.process.isRunning()) return { tries: Object.keys(files).length, hits: [...hits, 'the node ended'] }
    await node.stop()
    await node.start()
    if ((await counts(node)).items < 2) hits.push('items are gone after the next start')
    return { tries: Object.keys(files).length + Object.keys(lists).length, hits }
  },
}

async function counts(node: AttackedNode): Promise<{ readonly items: number; readonly sources: number }> {
  return (await node.owner.must('GET', '/api/overview')).counts
}

/** None of them is a backup. */
function backups(stage: AttackStage, random: number): Record<string, Buffer> {
  const database = (fill: (db: Database.Database) => void) => {
    const path = join(stage.folder, 'made.db')
    const db = new Database(path)
    fill(db)
    const bytes = db.serialize()
    db.close()
    rmSync(path, { force: true })
    return bytes
  }
  const empty = database((db) => db.exec('CREATE TABLE t (a)'))
  const cut = (share: number) => empty.subarray(0, Math.floor(empty.length * share))
  const broken = (at: number, value: number) => {
    const bytes = Buffer.from(empty)
    bytes[at] = value
    return bytes
  }
  writeFileSync(join(stage.folder, 'x'), '')
  return {
    nothing: Buffer.alloc(0),
    text: Buffer.from('not a database'),
    zeros: Buffer.alloc(100_000),
    'a lone head': Buffer.from('SQLite format 3\u0000'),
    'another database': empty,
    'half of a database': cut(0.5),
    'the first page': cut(0.1),
    'tables with our names': database((db) =>
      db.exec('CREATE TABLE sources (a); CREATE TABLE items (a); PRAGMA user_version = 3'),
    ),
    'views with our names': database((db) =>
      db.exec(
        "CREATE TABLE t (a); CREATE VIEW sources AS SELECT readfile('/etc/passwd') AS id; CREATE VIEW items AS SELECT 1",
      ),
    ),
    'a newer version': database((db) => db.exec('CREATE TABLE sources (a); PRAGMA user_version = 999999')),
    'a version below nothing': database((db) => db.exec('CREATE TABLE sources (a); PRAGMA user_version = -1')),
    triggers: database((db) =>
      db.exec('CREATE TABLE sources (a); CREATE TRIGGER t AFTER INSERT ON sources BEGIN DELETE FROM sources; END'),
    ),
    'a page size that is none': broken(16, 7),
    'a broken tree': broken(100, 99),
    'a gzip file': Buffer.from('1f8b0800000000000003', 'hex'),
    ...Object.fromEntries(
      Array.from({ length: random }, (_, i) => [
        `random bytes ${i}`,
        i % 2 === 0 ? randomBytes(20_000) : Buffer.concat([empty.subarray(0, 100), randomBytes(20_000)]),
      ]),
    ),
  }
}

function opmls(): Record<string, string> {
  const list = (outlines: string, head = '') =>
    `<?xml version="1.0"?>${head}<opml version="2.0"><body>${outlines}</body></opml>`
  const outline = (url: string) => `<outline type="rss" text="x" xmlUrl="${url}"/>`
  return {
    'a file as entity': list(
      '<outline text="&x;" xmlUrl="http://a.example/&x;"/>',
      '<!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    ),
    'a file as DTD': list(outline('http://b.example/'), '<!DOCTYPE opml SYSTEM "file:///etc/passwd">'),
    'an inclusion': list(
      '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>',
    ),
    'a script': list(outline('javascript:alert(1)')),
    'a file': list(outline('file:///etc/passwd')),
    data: list(outline('data:text/xml,x')),
    'no OPML': '<html></html>',
    nothing: '',
    binary: '\u0000\u0001\u0002',
    'a very long address': list(outline(`http://c.example/${'a'.repeat(100_000)}`)),
    'a very long category': list(`<outline text="${'c'.repeat(200_000)}">${outline('http://d.example/')}</outline>`),
    'a deep tree': list(`${'<outline text="a">'.repeat(50_000)}${outline('http://e.example/')}`),
    prototypes: list(
      '<outline text="__proto__"><outline type="rss" text="constructor" xmlUrl="http://f.example/" category="__proto__/toString"/></outline>',
    ),
    'a password': list(outline('http://user:pass@g.example/')),
    'ends of lines': list(outline('http://h.example/&#13;&#10;x-evil:1')),
  }
}
