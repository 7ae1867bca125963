import type { AddressRule } from '../rule.ts'

/** Archives of the first years, and the classes that took them in. */
const OLD_ARCHIVES = {
  'acc-phys': 'physics.acc-ph',
  'adap-org': 'nlin.AO',
  'alg-geom': 'math.AG',
  'ao-sci': 'physics.ao-ph',
  'atom-ph': 'physics.atom-ph',
  'bayes-an': 'physics.data-an',
  'chao-dyn': 'nlin.CD',
  'chem-ph': 'physics.chem-ph',
  'cmp-lg': 'cs.CL',
  'comp-gas': 'nlin.CG',
  'dg-ga': 'math.DG',
  'funct-an': 'math.FA',
  'mtrl-th': 'cond-mat.mtrl-sci',
  'patt-sol': 'nlin.PS',
  'plasm-ph': 'physics.plasm-ph',
  'q-alg': 'math.QA',
  'solv-int': 'nlin.SI',
  'supr-con': 'cond-mat.supr-con',
} as const

const arxiv: readonly AddressRule[] = [
  ...Object.entries(OLD_ARCHIVES).map(([old, now]) => ({
    name: 'arXiv archive of the first years',
    match: [`arxiv.org/list/${old}/**`, `arxiv.org/archive/${old}`],
    give: [`https://rss.arxiv.org/rss/${now}`],
  })),
  {
    name: 'arXiv category',
    match: ['arxiv', 'export.arxiv'].flatMap((host) => [
      `${host}.org/list/{category:name}/**`,
      `${host}.org/archive/{category:name}`,
    ]),
    give: ['https://rss.arxiv.org/rss/{category}'],
  },
  { name: 'arXiv author', match: ['arxiv.org/a/{author:word}'], give: ['https://arxiv.org/a/{author}.atom2'] },
]

const STACK_EXCHANGE = [
  'stackoverflow.com',
  'serverfault.com',
  'superuser.com',
  'askubuntu.com',
  'mathoverflow.net',
  'stackapps.com',
  '{site}.stackexchange.com',
  '{language}.stackoverflow.com',
  '{site}.meta.stackexchange.com',
  '{language}.meta.stackoverflow.com',
  ...['serverfault.com', 'superuser.com', 'askubuntu.com', 'mathoverflow.net'].map((host) => `meta.${host}`),
]

const everywhere = (path: string) => STACK_EXCHANGE.map((host) => `${host}${path}`)

const stackExchange: readonly AddressRule[] = [
  {
    name: 'Stack Exchange tag',
    match: ['/questions/tagged/{tag}/**', '/unanswered/tagged/{tag}/**', '/tags/{tag}', '/tags/{tag}/info'].flatMap(
      everywhere,
    ),
    give: ['{origin}/feeds/tag/{tag}'],
  },
  {
    name: 'Stack Exchange question',
    match: ['/questions/{id:number}/**', '/q/{id:number}/**'].flatMap(everywhere),
    give: ['{origin}/feeds/question/{id}'],
  },
  { name: 'Stack Exchange user', match: everywhere('/users/{id:number}/**'), give: ['{origin}/feeds/user/{id}'] },
  { name: 'Stack Exchange site', match: [...everywhere(''), ...everywhere('/questions')], give: ['{origin}/feeds'] },
]

const WIKIS = [
  ...['wikipedia', 'wiktionary', 'wikibooks', 'wikinews', 'wikiquote', 'wikisource', 'wikiversity', 'wikivoyage'].map(
    (project) => `{language}.${project}.org`,
  ),
  'commons.wikimedia.org',
  'species.wikimedia.org',
  'meta.wikimedia.org',
  'wikidata.org',
  'mediawiki.org',
]

/** Their feeds are on the host without the m as well. */
const mobile = (host: string) => host.replace(/^(\{language\}|commons|species|meta)\./, '$1.m.')
const inWikis = (...paths: readonly string[]) =>
  WIKIS.flatMap((host) =>
    [host, ...(mobile(host) === host ? [] : [mobile(host)])].flatMap((one) => paths.map((path) => one + path)),
  )

/** Ways of writing Chinese, each with addresses of its own. */
const CHINESE = ['zh', 'zh-cn', 'zh-hans', 'zh-hant', 'zh-hk', 'zh-mo', 'zh-my', 'zh-sg', 'zh-tw']

// Wikis know the English names of their special pages beside those in their language.
const wikipedia: readonly AddressRule[] = [
  {
    name: 'recent changes of a wiki',
    match: inWikis(
      '',
      '/wiki/Special:RecentChanges',
      '/w/index.php?title=Special:RecentChanges',
      '/wiki/Spezial:Letzte_Änderungen',
      '/wiki/Spécial:Modifications_récentes',
      '/wiki/Especial:CambiosRecientes',
      '/wiki/Speciale:UltimeModifiche',
      '/wiki/Служебная:Свежие_правки',
      '/wiki/特別:最近の更新',
    ),
    give: ['{origin}/w/index.php?title=Special:RecentChanges&feed=atom'],
  },
  {
    name: 'contributions to a wiki',
    match: inWikis(
      '/wiki/Special:Contributions/{user}',
      '/wiki/Spezial:Beiträge/{user}',
      '/wiki/Spécial:Contributions/{user}',
      '/wiki/Especial:Contribuciones/{user}',
      '/w/index.php?title=Special:Contributions/{user}',
    ),
    give: ['{origin}/w/api.php?action=feedcontributions&user={user}&feedformat=atom'],
  },
  {
    name: 'new pages of a wiki',
    match: inWikis('/wiki/Special:NewPages', '/wiki/Spezial:Neue_Seiten', '/w/index.php?title=Special:NewPages'),
    give: ['{origin}/w/index.php?title=Special:NewPages&feed=atom'],
  },
  {
    name: 'changes of a page of a wiki',
    match: inWikis('/wiki/Special:History/{page...}', '/wiki/Special:PageHistory/{page...}'),
    give: ['{origin}/w/index.php?title={page...}&action=history&feed=atom'],
  },
  { name: 'special page of a wiki', match: inWikis('/wiki/Special:{page}', '/w/index.php?title=Special:{page}') },
  {
    name: 'changes of a page of a wiki',
    match: [
      ...inWikis('/w/index.php?title={page}', '/wiki/{page...}'),
      ...CHINESE.map((variant) => `zh.wikipedia.org/${variant}/{page...}`),
    ],
    give: ['{origin}/w/index.php?title={page...}&action=history&feed=atom'],
  },
]

export const KNOWLEDGE_RULES: readonly AddressRule[] = [
  ...arxiv,
  {
    name: 'bioRxiv collection',
    match: ['biorxiv.org/collection/{subject}'],
    give: ['https://connect.biorxiv.org/biorxiv_xml.php?subject={subject}'],
  },
  ...stackExchange,
  ...wikipedia,
  {
    name: 'diary on OpenStreetMap',
    match: ['openstreetmap.org/user/{user}/diary/**'],
    give: ['https://www.openstreetmap.org/user/{user}/diary/rss'],
  },
  {
    name: 'changes by a user of OpenStreetMap',
    match: ['openstreetmap.org/user/{user}/history'],
    give: ['https://www.openstreetmap.org/user/{user}/history/feed'],
  },
]
