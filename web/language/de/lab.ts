import { count, pluralRounded } from '../amounts.ts'
import type { Words } from '../words.ts'

export const deLab = {
  tooLittle: 'In dieser Zeit erschien zu wenig, um die Strategien zu unterscheiden.',
  atBudget: (p: { readonly requests: number }) => `Bei ${pluralRounded(p.requests, 'Anfrage', 'Anfragen')} pro Tag`,
  wouldBe: (p: { readonly at: string; readonly strategy: string; readonly delay: string }) =>
    `${p.at} wäre ${p.strategy} im Mittel ${p.delay} zu spät.`,
  isBest: (p: {
    readonly at: string
    readonly best: string
    readonly delay: string
    readonly last: string
    readonly times: string
    readonly complete: string
  }) => `${p.at} ist ${p.best} am besten: im Mittel ${p.delay} zu spät, ${p.last} ${p.times}.${p.complete}`,
  timesAsMuch: (p: { readonly late: string; readonly times: string }) => `${p.late}, ${p.times}-mal so viel`,
  hardlyMore: (p: { readonly late: string }) => `${p.late}, kaum mehr`,
  ofAllItems: (p: { readonly best: string; readonly last: string }) =>
    ` Von allen Beiträgen hätten sie ${p.best} und ${p.last} bekommen.`,
  delay: 'Verspätung',
  completeness: 'Vollständigkeit',
  meanDelay: 'Mittlere Verspätung',
  againstBudget: (p: { readonly measure: string }) => `${p.measure} je nach Budget`,
  measure: 'Maß',
  span: (p: { readonly feeds: string; readonly from: string; readonly to: string }) =>
    `${p.feeds}, ${p.from} bis ${p.to}; die Verspätung ist das Mittel über alle Beiträge.`,
  summary: (p: { readonly measure: string; readonly strategies: string; readonly budgets: string }) =>
    `${p.measure} von ${p.strategies} bei ${p.budgets}; die Tabelle darunter hat die Zahlen`,
  requestsADay: 'Anfragen pro Tag',
  figures: 'Zahlen',
  strategy: 'Strategie',
  requests: 'Anfragen',
  thisNode: 'dieser Knoten',
  month: 'Monat',
  budgetsHelp: 'Bis zu acht Budgets, durch Kommas getrennt.',
  budgetsWrong: 'Eine bis acht Zahlen über 0 schreiben, durch Kommas getrennt: 50, 500, 5000.',
  theStrategies: 'die Strategien',
  replay: 'Nachspielen',
  nothingCompared: 'Noch nichts verglichen',
  nothingHint:
    'Was wäre mit anderen Strategien und Budgets geschehen? Einige wählen und „Vergleichen“ drücken: sie werden an dem nachgespielt, was dieser Knoten selbst gesehen hat.',
  tooEarly:
    'Welche Strategie brächte Neues am frühesten? Das lässt sich sagen, wenn der Knoten eine halbe Stunde gearbeitet hat.',
  thisWeek: (p: {
    readonly strategy: string
    readonly delay: string
    readonly every: string
    readonly later: string
  }) =>
    `In dieser Woche war Neues mit ${p.strategy} ${p.delay} nach dem Erscheinen da; für einen Abruf jedes Feeds alle ${p.every} ausgegeben, ${p.later}.`,
  upTo: (p: { readonly n: number; readonly current: string }) =>
    `Bis zu ${count(p.n)} Strategien; dieser Knoten verwendet ${p.current}.`,
  history: 'Verlauf',
  running: 'Läuft …',
  compare: 'Vergleichen',
  ofChosen: (p: { readonly ticked: number; readonly all: number }) => `${count(p.ticked)} von ${count(p.all)} gewählt`,
  ours: 'Eigene',
  foresight: 'wägt Verspätung und Verlust jedes Feeds zu einem Preis ab und blickt voraus',
  published: 'Veröffentlicht',
  twoSteps: 'zuerst Feeds, die gleich etwas verlieren, dann die nützlichsten',
  onlyTau: 'die nützlichsten Feeds, über einer Schwelle',
  onlySat: 'nur Feeds, die gleich etwas verlieren',
  scc07Allocation: 'mehr Anfragen für Feeds, die mehr veröffentlichen, nach der Wurzel',
  scc07Scheduling: 'die besten Zeiten des Tages für jeden Feed',
  scc07Combined: 'beides: wie viele Anfragen, und zu welchen Zeiten',
  cgm03Age: 'das geringste Alter des Gespeicherten, im Mittel',
  cgm03Freshness: 'möglichst viele Feeds zu jeder Zeit auf dem neuesten Stand',
  lambdacrawl: 'ein Crawler für Seiten, der langes Veralten bestraft',
  azar: 'ein Crawler für Seiten, der einem Index folgt',
  advarss: 'zählt die Läufe zwischen zwei Änderungen eines Feeds und wartet ebenso viele',
  adaptiveTtl: 'ein Zehntel des Alters des neuesten Beitrags, wie Web-Caches',
  topK: 'in Runden: so viele der nützlichsten, wie das Budget hergibt',
  reference: 'alles in jeder Runde, was es auch kostet',
  readersPeopleUse: 'Verbreitete Feedreader und Crawler',
  uniform: 'jeder Feed gleich oft: Abrufen in festen Abständen',
  uniformRandom: 'dasselbe mit unregelmäßigen Abständen',
  miniflux: 'Miniflux danach, wie oft ein Feed veröffentlicht',
  minifluxRoundRobin: 'Miniflux, wie es kommt: der Reihe nach',
  freshrss: 'FreshRSS, wie es kommt',
  commafeed: 'CommaFeed: nach dem Alter des neuesten Beitrags',
  newsblur: 'NewsBlur: nach Beiträgen am Tag und Lesern',
  ttrss: 'Tiny Tiny RSS, wie es kommt',
  mediacloud: 'Media Cloud: danach, wie viel des Feeds schon bekannt war',
  feedIo: 'feed-io: nach den Abständen zwischen den Beiträgen',
  nutch: 'Apache Nutch: kürzer nach einer Änderung, länger ohne',
  stormcrawler: 'StormCrawler: ebenso, mit anderen Schritten',
  others: 'Andere',
} satisfies Words['lab']
