/** Commands that cannot be run as they are: too long here, or for the whole checkout. Each names the test that runs it. */
export interface Elsewhere {
  readonly why: string
  /** The test, and words in it that show that it is about this command. */
  readonly by: string
  readonly shows: string
}

const whole = (by: string, shows: string): Elsewhere => ({ why: 'works on the whole checkout', by, shows })
const long = (by: string, shows: string): Elsewhere => ({ why: 'takes long', by, shows })
const inLong = (shows: string) => long('test/docs/long-commands.long.test.ts', shows)

const onPostgres = (shows: string, by = 'test/integration/roles.test.ts'): Elsewhere => ({
  why: 'needs a database server',
  by,
  shows,
})

const inGuide: Elsewhere = {
  why: 'needs a database server',
  by: 'test/docs/cluster-guide.test.ts',
  shows: 'every command of docs/cluster.md',
}

const letters = (shows: string, test = 'letters-command'): Elsewhere => ({
  why: 'needs a source for letters, or a port of its own',
  by: `test/letters/${test}.test.ts`,
  shows,
})

const otherNode = (shows: string): Elsewhere => ({
  why: 'needs another node',
  by: 'test/network/join.test.ts',
  shows,
})

const storedPages = (shows: string): Elsewhere => ({
  why: 'needs pages that are stored',
  by: 'test/integration/stored-pages.test.ts',
  shows,
})

export const ELSEWHERE: Readonly<Record<string, Elsewhere>> = {
  // A test run that reads this has run them.
  'npm ci': whole('test/e2e/package.test.ts', 'the dependencies of this checkout stand in for it'),
  'npm test': whole('test/docs/commands.test.ts', 'the scripts that documents name'),
  'npm run test:long': whole('test/docs/commands.test.ts', 'the scripts that documents name'),
  'npm run shape': whole('test/shape/shape.test.ts', 'is printed for people, too'),
  'npm run bench:against -- HEAD~1 --benches store --turns 4': inLong('npm run bench:against -- HEAD'),
  'npm run test:nodes': whole('test/nodes.test.ts', 'npm run test:nodes'),
  'headwater move --from headwater-data --to postgres://me:secret@db.example.org/headwater': {
    why: 'needs a server',
    by: 'test/contract/moves.test.ts',
    shows: 'from a folder to PostgreSQL',
  },
  'headwater serve --smtp-in 127.0.0.1:2525 --mail-domain letters.example.org': letters("'--smtp-in'", 'letters-kill'),
  'headwater letters allow ID news@example.org @weekly.example.org': letters("letters('allow', '1'"),
  'headwater letters allow ID news@example.org': letters("letters('allow', '1'"),
  'headwater letters renew ID': letters("letters('renew', '1'"),
  'headwater letters revoke ID': letters("letters('revoke', '1'"),
  'headwater pages rule try rule.json 1234': storedPages("'rule', 'try'"),
  'headwater pages rule add rule.json 1234 1240': storedPages("'rule', 'add'"),
  'headwater pages rule remove "Example news"': storedPages("'rule', 'remove'"),
  'headwater network join https://feeds.example.org https://news.example.net': otherNode("'network', 'join'"),
  'headwater network trust https://feeds.example.org': otherNode("'network', 'trust'"),
  'headwater app-password revoke owner 1': {
    why: 'needs a password that is there',
    by: 'test/readers/app-password-command.test.ts',
    shows: "'revoke'",
  },
  'npm run check': whole('test/docs/commands.test.ts', 'the scripts that documents name'),
  'npm run docs:api': whole('test/docs/api-reference.test.ts', 'every export and every method of it'),
  'npm run docs:site': whole('test/docs/site.test.ts', 'buildSite(folder)'),
  'npm run docs:compare': inLong('npm run docs:compare'),
  'npm run screenshots': inLong('npm run screenshots -- --only overview'),
  'npm run tasks': inLong('npm run tasks -- --json'),
  'npm run sbom': inLong('npm run sbom'),
  'npx vitest': inLong('npx vitest run'),
  'npm run fix': whole('test/docs/commands.test.ts', 'the scripts that documents name'),
  'npm run test:time -- --times 10 --busy 16': inLong('npm run test:time -- --times 2 --busy 2'),
  'npm run attack': inLong('npm run attack -- --short'),
  'npm run attack -- --json': inLong('npm run attack -- --json --short'),
  'npm run attack -- --only greedy': inLong('--only greedy'),
  'npm run corpora': inLong('npm run corpora'),
  'npm run corpora -- articles': inLong('npm run corpora -- articles'),
  'npm run corpora -- categories': inLong('npm run corpora'),
  'npm install pg': whole('test/e2e/package.test.ts', 'the dependencies of this checkout stand in for it'),
  'headwater serve --role crawler,matcher': {
    why: 'serves nothing',
    by: 'test/integration/roles.test.ts',
    shows: 'ROLE_NAMES',
  },
  'headwater serve --store postgres://me:secret@db.example.org/feeds': onPostgres('one PostgreSQL'),
  'headwater serve --store postgres://me:secret@db.example.org/feeds --role crawler': onPostgres('four processes'),
  'headwater serve --store postgres://me:secret@db.example.org/feeds --role matcher,publisher':
    onPostgres('four processes'),
  'headwater serve --store postgres://me:secret@db.example.org/feeds --role api --host 0.0.0.0 --public-url https://feeds.example.org':
    onPostgres('under the same ETag', 'test/integration/replicas.test.ts'),
  'headwater cluster status --store postgres://me:secret@db.example.org/feeds': onPostgres("'cluster', 'status'"),
  'headwater move --from headwater-data --to postgres://me:secret@db.example.org/feeds': inGuide,
  'headwater serve --role crawler': inGuide,
  'headwater serve --role matcher,publisher': inGuide,
  'headwater serve --role api --host 0.0.0.0 --public-url https://feeds.example.org': inGuide,
  'headwater cluster status': inGuide,
  'headwater cluster status --store postgres://me:secret@db.example.org/restored': inGuide,
  'headwater cluster status --store postgres://me:secret@db1.example.org,db2.example.org,db3.example.org/feeds':
    inGuide,
  'npm pack': whole('test/e2e/package.test.ts', "'pack'"),
  'npm install headwater-0.1.0.tgz': whole(
    'test/e2e/package.test.ts',
    'the dependencies of this checkout stand in for it',
  ),
  'headwater bench costs --store postgres://… --json': {
    why: 'needs a database server',
    by: 'bench/costs.test.ts',
    shows: 'await benchCosts({ store',
  },
  'npx headwater bench parse --json': inLong('bench parse --json'),
  'npx headwater bench articles --json': inLong('bench articles --json'),
  'npx headwater bench crawl --json': inLong('bench crawl --json'),
  'npx headwater bench store --json': inLong('bench store --json'),
  'npx headwater bench match --json': inLong('bench match --json'),
  'npx headwater bench join --json': inLong('bench join --json'),
  'npx headwater bench schedule --json': inLong('bench schedule --json'),
  'headwater bench schedule --json': inLong('bench schedule --json'),
  'npx headwater bench terminals --json': inLong('bench terminals --json'),
  'npx headwater bench cluster --json': long('test/cluster/bench-cluster.long.test.ts', 'five minutes'),
  'npx headwater bench calm --json': inLong('bench calm --json'),
  'npx headwater bench web --json': inLong('bench web --json'),
  'headwater bench web --json': inLong('bench web --json'),
  'headwater bench live-http --json': inLong('bench live-http --json'),
  'headwater bench live --json': inLong('bench live --json'),
  'headwater lab compare --trace F --per-day 4,24': inLong('--per-day 4,24'),
  'headwater lab compare --trace trace.csv.gz --per-day 4,24 --window 20': inLong('--per-day 4,24 --window 20'),
  'headwater lab compare --trace trace.csv.gz': inLong('lab compare --trace trace.csv.gz'),
  'headwater lab compare --trace a.csv.gz b.csv.gz --per-day 24 --policies uniform,two-steps --html compare.html':
    inLong('uniform,two-steps'),
  'headwater lab compare --trace all --per-day 1,3,4,8,24,96 --window 10,20,50 --most-requests 4000000 --ablations --rounding --shipped --newcomers 100 --followed --burst 1,60,1440 --html compare.html --json compare.json':
    inLong('--ablations'),
  'headwater lab run all --html report.html': inLong('lab run all --html report.html'),
  'headwater lab run all': inLong('lab run all'),
  'headwater lab run divergence-error --seeds 5 --json -': inLong('divergence-error'),
  'headwater lab world --feeds 1000 --speed 60': long('test/integration/world-process.test.ts', '--feeds'),
}
