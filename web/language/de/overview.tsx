import type { ReactNode } from 'react'
import { count, form, plural } from '../amounts.ts'
import type { Words } from '../words.ts'

export const deOverview = {
  whatNow: {
    saturated: 'Die Quelle veröffentlicht schneller, als das Budget Abrufe erlaubt.',
    flooding: 'Auf einmal kommt mehr als an einem üblichen Tag; der Rest wartet auf eine Entscheidung.',
    retired: 'Es wird kaum noch nachgesehen. Gibt es die Quelle jetzt woanders?',
    failing: 'Es wird weiter versucht, immer seltener.',
  },
  periods: {
    hour: 'Stunde',
    day: 'Tag',
    week: 'Woche',
  },
  lastPeriods: {
    hour: 'Die letzte Stunde',
    day: 'Der letzte Tag',
    week: 'Die letzte Woche',
  },
  inPeriods: {
    hour: 'in der letzten Stunde',
    day: 'heute',
    week: 'in dieser Woche',
  },
  likeness: {
    readers: 'dieselben Leute lesen beide',
    queries: 'dieselben Abfragen nehmen von beiden',
    categories: 'gleicher Ordner',
  },
  alerts: 'Warnmeldungen',
  feed: 'Feed',
  toldOnce: (p: { readonly feed: ReactNode }) => <>Jede Störung wird einmal gemeldet, auch als {p.feed}.</>,
  howLateThen: 'Wie spät Beiträge kamen',
  itemsLost: 'Verlorene Beiträge',
  besidePolling: 'Verglichen mit Abrufen in festen Abständen',
  besideLead: (p: { readonly requests: string; readonly span: string; readonly every: string }) =>
    `Dieselben ${p.requests} Anfragen in ${p.span} auf dieselben Veröffentlichungen, verglichen mit einem Abruf jedes Feeds alle ${p.every} (simuliert).`,
  thisNode: 'Dieser Knoten',
  polling: 'Feste Abstände',
  noneLost: 'nichts verloren',
  biggerBudget: 'Was ein größeres Budget brächte',
  doubling: (p: { readonly saves: string; readonly costs: string }) =>
    `Das Doppelte würde etwa ${p.saves} sparen; die Hälfte kostet ${p.costs}. Geschätzt aus der gemessenen Verspätung.`,
  delayAgainst: (p: {
    readonly own: string
    readonly requests: string
    readonly every: string
    readonly polling: string
  }) =>
    `Verspätung gegen Anfragen am Tag: ${p.own} bei ${p.requests}; feste Abstände von ${p.every} wären ${p.polling} zu spät`,
  requestsADay: 'Anfragen am Tag',
  estimatedDelay: 'Geschätzte Verspätung',
  youAreHere: 'Heute',
  pollingEvery: (p: { readonly every: string }) => `Feste Abstände, alle ${p.every}`,
  notKnown: 'nicht bekannt',
  forExperts: 'Für Fachleute',
  mechanics: (p: { readonly price: string; readonly strategy: string; readonly checks: string }) =>
    `Preis einer Anfrage (τ) ${p.price} · Strategie ${p.strategy} · ${p.checks} gespeichert`,
  priceTau: 'Preis τ: was ein Abruf wert sein muss',
  itemsAnHour: 'Beiträge pro Stunde',
  fullWindows: 'Fenster, die voll Neuem waren',
  itemsArchived: 'Beiträge im Archiv',
  queryFeeds: 'Abfrage-Feeds',
  waitingForQueries: 'Warten auf Abfragen',
  needYou: 'Brauchen Aufmerksamkeit',
  pause: 'Anhalten',
  allOfThem: 'Alle anzeigen',
  isPaused: (p: { readonly name: string }) => `${p.name} ist angehalten`,
  lastLooked: (p: { readonly when: ReactNode }) => <>Zuletzt abgerufen: {p.when}.</>,
  over: 'Zeitraum',
  theOverview: 'den Überblick',
  nothingToRead: 'Noch nichts zu lesen',
  noSources: 'Dieser Knoten folgt noch keinen Quellen',
  noSourcesHint:
    'Nach dem Hinzufügen und den ersten Abrufen zeigt diese Seite, wie vollständig, frisch und teuer sie sind.',
  begin: 'Anfangen',
  curvesSoon: 'Kurven erscheinen, sobald der Knoten eine halbe Minute gearbeitet hat.',
  howLate: 'Wie spät Neues ankommt',
  howLateLead:
    'Linie: Mittelwert. Band: vom Median bis zu 95 % der Beiträge. Wo nichts bekannt ist, wird nichts gezeichnet.',
  howLateSummary: 'Mittlere Verspätung zwischen Veröffentlichung und Archiv, mit Median und 95. Perzentil',
  onAverage: 'im Mittel',
  forMost: 'für die meisten',
  againstBudget: 'Anfragen und Budget',
  againstBudgetLead: (p: { readonly budget: string }) =>
    `Pro Stunde. In ruhigen Stunden gespart, bei Neuem ausgegeben; die Linie ist das Budget, ${p.budget} pro Stunde.`,
  againstBudgetSummary: (p: { readonly budget: string }) => `Anfragen pro Stunde bei einem Budget von ${p.budget}`,
  requestsAnHour: 'Anfragen pro Stunde',
  budget: 'Budget',
  completeAndFresh: 'Vollständig und frisch',
  completeLead: 'Vollständig: Beiträge, die nicht verloren gingen. Frisch: was von dem, was Feeds zeigen, hier ist.',
  completeSummary: (p: { readonly since: string }) => `Vollständigkeit und Frische seit ${p.since}`,
  complete: 'Vollständig',
  fresh: 'Frisch',
  whereRequests: 'Wohin die Anfragen gingen',
  whereLead: 'Anteil an den Anfragen aller Ordner, und wie viele davon Neues fanden.',
  shareNew: (p: { readonly share: string; readonly new: string }) => (
    <>
      <strong>{p.share}</strong>, {p.new} mit Neuem
    </>
  ),
  qualityOverTime: 'Qualität im Verlauf',
  from: 'Ab',
  completeness: 'Vollständigkeit',
  freshness: 'Frische',
  meanDelay: 'Mittlere Verspätung',
  requests: 'Anfragen',
  items: 'Beiträge',
  lostItems: 'Verloren',
  mostWanted: 'Am meisten gefragt',
  mostWantedLead: 'Worauf Abfrage-Feeds und Leser zählen. Ein Feed, der doppelt zählt, wird öfter abgerufen.',
  countsAs: (p: { readonly weight: string }) => `zählt als ${p.weight}`,
  countOnIt: (p: { readonly n: number }) => plural(p.n, 'Leser zählt darauf', 'Leser zählen darauf'),
  youMayLike: 'Vielleicht interessant',
  youMayLikeLead: 'Feeds dieses Knotens, die den gelesenen ähneln.',
  like: (p: { readonly names: string; readonly why: string }) => `Wie ${p.names}: ${p.why}`,
  foundNew: (p: { readonly share: string }) => `; ${p.share} fanden Neues`,
  kept: (p: { readonly items: string; readonly lost: string; readonly estimated: string }) =>
    `${p.items} Beiträge erhalten, ${p.lost}${p.estimated}`,
  isHere: (p: { readonly estimated: string }) => `dessen, was Feeds jetzt zeigen, ist hier${p.estimated}`,
  late: 'Verspätet',
  within: (p: { readonly median: string; readonly most: string }) => `die Hälfte in ${p.median}, 95 % in ${p.most}`,
  measuredSoon:
    'gemessen ab dem ersten Beitrag, der erscheint, während der Knoten läuft; was vorher da war, zählt nicht',
  spent: 'Ausgegeben',
  ofBudget: (p: { readonly budget: string }) => `von ${p.budget}`,
  between: (p: { readonly low: string; readonly high: string }) => ` (${p.low} bis ${p.high})`,
  lostBetween: (p: { readonly items: string; readonly range: string }) => `${p.items} verloren${p.range}`,
  estimated: ', geschätzt',
  bought: (p: {
    readonly requests: string
    readonly delay: string
    readonly every: string
    readonly later: string
  }) => (
    <>
      Mit {p.requests} Anfragen am Tag ist Neues <strong>{p.delay}</strong> nach dem Erscheinen hier. Für einen Abruf
      jedes Feeds alle {p.every} ausgegeben, {p.later}.
    </>
  ),
  tooEarly: (p: { readonly items: string; readonly feeds: string }) =>
    `${p.items} aus ${p.feeds} sind im Archiv. Wie spät Neues ankommt, ist nach etwa einer halben Stunde Arbeit bekannt.`,
  nothingLost: 'nichts verloren',
  aboutLost: (p: { readonly items: string }) => `etwa ${p.items} verloren`,
  allWell: 'Alles in Ordnung.',
  notAllCaught: 'Läuft, aber nicht alles wurde erfasst.',
  notAllWell: 'Nicht alles ist in Ordnung.',
  muchNeeds: 'Vieles braucht einen Blick.',
  need: (p: { readonly troubled: number; readonly feeds: string }) =>
    `${count(p.troubled)} von ${p.feeds} ${form(p.troubled, 'braucht', 'brauchen')} Aufmerksamkeit.`,
  overBudget: 'Über dem Budget',
  onBudget: 'Im Budget',
  beLater: 'kämen dieselben Anfragen später an',
  beAsLate: 'brächten dieselben Anfragen Neues etwa ebenso spät',
  beTimesLater: (p: { readonly times: string }) => `brächten dieselben Anfragen Neues ${p.times}-mal so spät`,
  rest: (p: { readonly budget: string; readonly lost: string; readonly period: string }) =>
    `${p.budget}; ${p.period} ${p.lost}.`,
} satisfies Words['overview']
