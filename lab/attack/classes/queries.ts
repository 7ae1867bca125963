import type { AttackClass } from '../attack.ts'
import { rss, serving } from '../documents.ts'
import { type AttackedNode, NEAR } from '../stage.ts'

/** CPU time that any one question may take, generously; a pattern that backtracks would take years. */
const MOST_CPU_MS = 20_000

export const queries: AttackClass = {
  name: 'queries',
  promise:
    'No query, pattern or search text keeps the node busy for long, breaks the search or makes an error of the node',
  async run(stage, effort) {
    const server = await stage.startServer(serving(baitFeed))
    const node = await stage.startNode({ flags: NEAR })
    await node.owner.must('POST', '/api/sources', { url: server.url('/'), discover: false })
    await stage.eventually(async () => (await node.owner.must('GET', '/api/overview')).counts.items >= 20)
    const hits: string[] = []
    const sample = effort === 'full' ? statements() : statements().filter((_, i) => i % 2 === 0)
    let most = 0
    for (const text of sample) most = Math.max(most, await preview(node, text, hits))
    const searches = searchTexts()
    for (const text of searches) {
      const before = node.process.cpuMs()
      const { status } = await node.owner.ask('GET', `/api/items?${new URLSearchParams({ text })}`)
      if (status >= 500 || status === 0) hits.push(`the search ${JSON.stringify(text.slice(0, 60))} gave ${status}`)
      most = Math.max(most, node.process.cpuMs() - before)
    }
    if (most > MOST_CPU_MS) hits.push(`a question took ${most} ms of CPU time`)
    if (!node.process.isRunning()) hits.push('the node ended')
    return { tries: sample.length + searches.length, hits, figures: { mostCpuMs: most } }
  },
}

async function preview(node: AttackedNode, text: string, hits: string[]): Promise<number> {
  const before = node.process.cpuMs()
  for (const path of ['/api/queries/check', '/api/queries/preview']) {
    const { status } = await node.owner.ask('POST', path, { body: { text } })
    if (status >= 500 || status === 0) hits.push(`${path} of ${JSON.stringify(text.slice(0, 80))} gave ${status}`)
  }
  return node.process.cpuMs() - before
}

const PATTERNS = [
  '(a+)+$',
  '(a|a)*$',
  '(a|aa)+$',
  '([a-z]+)*$',
  '(.*a){25}',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(x+x+)+y',
  '(a{1,1000}){1,1000}',
  'a{100000}',
  '(?:a?){500}a{500}',
  '((((((((((a*)*)*)*)*)*)*)*)*)*)*$',
  '(?=a+)+',
  '(a)\\1+',
  '[\\u0000-\\uffff]{1,900}z',
  '(',
]

function statements(): readonly string[] {
  const query = (condition: string) => `CREATE FEED q AS RETURN ALL WHERE ${condition};`
  const many = (count: number, join: string) =>
    query(Array.from({ length: count }, (_, i) => `ITEM CONTAINS "w${i}"`).join(join))
  return [
    ...PATTERNS.map((pattern) => query(`ITEM MATCHES ${JSON.stringify(pattern)}`)),
    ...PATTERNS.map((pattern) => query(`ITEM CONTAINS /${pattern}/`)),
    many(5_000, ' OR '),
    many(5_000, ' AND '),
    query(`${'('.repeat(20_000)}ITEM CONTAINS "a"${')'.repeat(20_000)}`),
    query(`${'NOT '.repeat(20_000)}ITEM CONTAINS "a"`),
    query(`ITEM CONTAINS "${'a '.repeat(40_000)}"`),
    query(`ITEM CONTAINS "${'a*'.repeat(20_000)}"`),
    `CREATE FEED q AS RETURN q;`,
    `CREATE FEED q AS RETURN ${Array.from({ length: 3_000 }, () => 'ALL').join(' | ')};`,
    `CREATE FEED q AS RETURN ALL AS $a${' | ALL AS $b'.repeat(500)} WHERE $a[TITLE = "x"];`,
    `CREATE FEED ${'q'.repeat(100_000)} AS RETURN ALL;`,
    'CREATE FEED q AS RETURN ALL;'.repeat(3_000),
    `/*${'*'.repeat(100_000)}`,
    `"${'\\'.repeat(100_000)}`,
    '\u0000\uffff\ud800',
    `CREATE FEED q LIMIT 99999999999999999999 AS RETURN ALL;`,
    `CREATE FEED q AS RETURN ALL JOIN ALL WITHIN 99999999d ON TITLE;`,
  ]
}

function searchTexts(): readonly string[] {
  return [
    '"',
    "'",
    '""',
    '"a',
    'a" OR "b',
    '*',
    'a*',
    '*a',
    '^a',
    'a NEAR b',
    'NEAR(a b, 99999)',
    'title:a',
    '{a b}:c',
    'a AND',
    'OR',
    'NOT',
    'a + b',
    '- -',
    '(',
    ')',
    '((((a',
    "'; DROP TABLE items; --",
    '%',
    '_',
    '\\',
    '\u0000',
    '\ud800',
    'a'.repeat(400),
    '"a '.repeat(100),
    '-'.repeat(400),
    'x* '.repeat(100),
    '"x x x x x x x x"',
    '*'.repeat(300),
  ]
}

function baitFeed() {
  const bait = `${'a'.repeat(30_000)}! ${'ab'.repeat(10_000)} ${'x '.repeat(5_000)}`
  return rss(
    'bait',
    Array.from({ length: 20 }, (_, i) => ({ id: `bait ${i}`, html: bait })),
  )
}
