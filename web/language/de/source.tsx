import type { ReactNode } from 'react'
import { count, pluralRounded } from '../amounts.ts'
import type { Words } from '../words.ts'

export const deSource = {
  causes: {
    new: 'neue Quelle',
    asked: 'angefordert',
    full: 'Fenster fast voll',
    worth: 'den Preis wert',
    time: 'längster Abstand vorbei',
    signal: 'ähnliche haben Neues',
    learning: 'um den Takt zu lernen',
    push: 'der Hub meldete Neues',
    spare: 'Budget übrig',
  },
  counts: {
    M: 'Läufe zwischen zwei Abrufen',
    T: 'Läufe ohne Neues, mindestens',
    ToE: 'Läufe bis zum nächsten Abruf',
  },
  expected: (p: { readonly expected: string; readonly items: string }) =>
    `Der Feed zeigt die letzten ${p.items}; seit dem letzten Abruf werden ${p.expected} neue erwartet.`,
  pagesOfItems: 'Seiten der Beiträge',
  pagesStored: (p: {
    readonly pages: string
    readonly size: string
    readonly waiting: string
    readonly failed: string
    readonly keeping: string
  }) => `${p.pages} gespeichert, zusammen ${p.size}; ${p.waiting} warten, ${p.failed} ohne Artikel. ${p.keeping}`,
  keptFor: (p: { readonly time: string }) => `für ${p.time}`,
  keptForLast: (p: { readonly items: string }) => `für die letzten ${p.items}`,
  keptAsItems: 'Sie bleiben so lange wie ihre Beiträge.',
  and: ' und ',
  areKept: (p: { readonly limits: string }) => `Sie bleiben ${p.limits}.`,
  editSource: 'Quelle bearbeiten',
  nameHelp: 'Leer: der Titel, den sich der Feed selbst gibt.',
  address: 'Adresse',
  categories: 'Ordner',
  categoriesHelp: 'Durch Kommas getrennt; Ordner als News/Welt.',
  weight: 'Gewicht',
  weightHelp: '1 ist üblich; 2 zählt doppelt.',
  fixedInterval: 'Fester Abstand in Minuten',
  fixedHelp: 'Leer: die Strategie entscheidet.',
  mostADay: 'Neue Beiträge am Tag, höchstens',
  mostHelp: 'Leer: aus der Vergangenheit gelernt. off: alles, was der Feed zeigt.',
  newPages: 'Seiten neuer Beiträge',
  newPagesHelp: 'Abgerufen geben sie Suchen, Abfragen und FULLTEXT-Feeds ganze Artikel.',
  leftAlone: 'nicht abrufen',
  fetchedOnce: 'einmal abrufen',
  fetchedAgain: 'abrufen und auf Änderungen ansehen',
  userAgent: 'User-Agent',
  asAll: 'Leer: wie bei allen anderen.',
  proxy: 'Proxy',
  authUser: 'Benutzer, falls der Feed ein Passwort verlangt',
  authPassword: 'Passwort dieses Benutzers',
  asItWas: 'Leer: wie bisher.',
  save: 'Speichern',
  floodingRefused: (p: { readonly items: string }) => `Überflutung: ${p.items} abgelehnt`,
  floodingWhy: (p: { readonly when: ReactNode; readonly allowance: string; readonly taken: string }) => (
    <>
      {p.when} zeigte die Quelle mehr neue Beiträge als die {p.allowance} am Tag, die von ihr gespeichert werden. Die
      neuesten wurden genommen ({p.taken} heute); der Rest kommt herein, wenn wieder Platz ist und er dann noch gezeigt
      wird.
    </>
  ),
  untilThen: ' Bis dahin wird sie nicht abgerufen.',
  liftAllowance: 'Grenze aufheben',
  learnt: 'Gelernt',
  seen: 'Gesehen',
  whenItPublishes: 'Wann die Quelle veröffentlicht',
  show: 'Anzeigen',
  nothingLearnt: 'Noch nichts gelernt; das braucht einige Abrufe.',
  learntRate: 'Gelernte Rate nach Stunde der Woche',
  itemsSeen: 'Gesehene Beiträge nach Stunde der Woche',
  itemsAnHour: 'Beiträge pro Stunde',
  itemsUnit: 'Beiträge',
  noModel: 'Kein Modell',
  modelName: 'Wie ihre Zeiten gelernt werden',
  modelWords: (p: { readonly rate: string; readonly when: ReactNode }) => (
    <>
      Beiträge im Mittel: {p.rate}; gelernt {p.when}. Stunden nach der Uhr dieses Geräts.
    </>
  ),
  nextCheck: 'Nächster Abruf',
  brings: (p: { readonly perDay: number; readonly busiest: string }) =>
    `Sie bringt etwa ${pluralRounded(p.perDay, 'Beitrag', 'Beiträge')} am Tag${p.busiest}.`,
  mostlyBetween: (p: { readonly from: string; readonly to: string }) => `, die meisten zwischen ${p.from} und ${p.to}`,
  waitsAndIsWorth: (p: { readonly items: string; readonly by: string }) =>
    `Bis ${p.by} wartet dort wohl Neues: etwa ${p.items}. Keine andere Quelle braucht die Anfrage dringender.`,
  waitsAndMayBeLost: (p: { readonly items: string; readonly by: string }) =>
    `Bis ${p.by} wartet dort wohl Neues: etwa ${p.items}. Später könnte etwas verloren sein.`,
  asScheduled: 'In den Worten der Planung',
  everyOne: 'Alle einzeln',
  howFetched: 'Wie sie abgerufen wird',
  noFormat: 'noch nicht gelesen',
  fetchedWords: (p: { readonly format: string; readonly interval: string; readonly weight: string }) =>
    `${p.format} · Abstand ${p.interval} · Gewicht ${p.weight}`,
  notPlanned: 'Nicht geplant',
  dueNow: 'Jetzt fällig',
  noReason: 'Die Planung hat noch keinen Grund genannt.',
  lastTimes: (p: { readonly checked: ReactNode; readonly answered: ReactNode; readonly new: ReactNode }) => (
    <>
      Zuletzt abgerufen {p.checked}, zuletzt beantwortet {p.answered}, zuletzt etwas Neues {p.new}.
    </>
  ),
  newestItem: (p: { readonly when: ReactNode }) => <>Neuester Beitrag: {p.when}.</>,
  whoReads: 'Wer sie liest',
  countsFor: (p: { readonly weight: string; readonly readers: string }) =>
    `Beim Verteilen der Anfragen zählt sie als ${p.weight}; ${p.readers}.`,
  noQueryReads: 'Kein Abfrage-Feed liest sie.',
  keeps: (p: { readonly share: string }) => `behält ${p.share}`,
  yourTrust: (p: { readonly share: string }) => `Ihr Vertrauen in sie: ${p.share}`,
  refreshes: 'Abrufe',
  noneYet: 'Noch keine.',
  broughtNew: (p: { readonly useful: string; readonly all: string }) =>
    `${p.useful} der letzten ${p.all} brachten Neues; rote fanden nichts Bekanntes, also gingen dazwischen Beiträge verloren.`,
  newAt: (p: { readonly time: string; readonly n: number }) => `${p.time}: ${count(p.n)} neu`,
  refreshesNewest: 'Abrufe, neueste zuerst',
  when: 'Wann',
  why: 'Warum',
  new: 'Neu',
  result: 'Ergebnis',
  lost: 'Verloren',
  size: 'Größe',
  took: 'Dauer',
  saturated: 'übergelaufen',
  repaired: 'aus älteren Seiten ergänzt',
  useful: 'nützlich',
  notModified: 'unverändert',
  nothingNew: 'nichts Neues',
  rules: 'Regeln zum Lesen von Seiten',
  rulesLead:
    'Wo zu wenig oder zu viel einer Seite als Artikel genommen wird. Sie gelten für alle Quellen einer Website.',
  change: 'Ändern',
  remove: 'Entfernen',
  makeRule: 'Regel für diese Website anlegen',
  aRule: 'Eine Regel',
  tryOn: 'Gespeicherte Seite zum Ausprobieren',
  itemNumber: (p: { readonly seq: number }) => `Beitrag ${count(p.seq)}`,
  tryIt: 'Ausprobieren',
  saveRule: 'Regel speichern',
  cancel: 'Abbrechen',
  article: 'Artikel',
  articleHelp:
    'CSS-Selektoren, oder XPath mit einem Schrägstrich am Anfang; einer je Zeile, der erste mit Treffer zählt.',
  goesBefore: 'Was vorher entfällt',
  goesHelp: 'Selektoren dessen, was nie dazugehört.',
  title: 'Titel',
  titleHelp: 'Leer: wie üblich, ebenso die beiden unten.',
  author: 'Autor',
  date: 'Datum',
  ruleName: 'Name der Regel',
  hosts: 'Rechnernamen',
  hostsHelp: 'Und alle darunter, durch Kommas getrennt.',
  preview: 'Vorschau',
  charactersFound: (p: { readonly characters: string; readonly found: string }) =>
    `Zusammen ${p.characters}. Gefundene Elemente: ${p.found}`,
  asked: 'Angefordert …',
  refreshNow: 'Jetzt abrufen',
  removeThis: 'Diese Quelle entfernen?',
  removeWords: (p: { readonly name: string; readonly items: string }) =>
    `${p.name} wird nicht mehr verfolgt; das Archiv und alle Abfrage-Feeds verlieren ${p.items}.`,
  removeIt: 'Entfernen',
  keepIt: 'Behalten',
  resume: 'Fortsetzen',
  pause: 'Anhalten',
  edit: 'Bearbeiten',
  items: 'Beiträge',
  readThem: (p: { readonly items: string }) => `${p.items}, lesen`,
  site: 'Website',
  format: 'Format',
  saysAbout: 'Eigene Themen',
  followedSince: 'Verfolgt seit',
  rate: 'Rate',
  rateWords: (p: { readonly rate: number }) => `${pluralRounded(p.rate, 'Beitrag', 'Beiträge')} pro Stunde`,
  interval: 'Abstand',
  newADay: 'Neue Beiträge am Tag',
  dates: 'Datumsangaben',
  credible: 'glaubwürdig',
  notCredible: 'nicht glaubwürdig, daher zählt die Ankunft',
  fixed: (p: { readonly time: string }) => `fest, ${p.time}`,
  atLeast: (p: { readonly time: string }) => `mindestens ${p.time}`,
  atMost: (p: { readonly time: string }) => `höchstens ${p.time}`,
  asStrategy: 'wie die Strategie entscheidet',
  refused: (p: { readonly n: string }) => `, ${p.n} abgelehnt`,
  today: (p: { readonly taken: string; readonly refused: string }) => `${p.taken} heute${p.refused}`,
  allStored: (p: { readonly today: string }) => `alle werden gespeichert; ${p.today}`,
  learntMost: ', gelernt',
  atMostStored: (p: { readonly most: string; readonly learnt: string; readonly today: string }) =>
    `höchstens ${p.most}${p.learnt}; ${p.today}`,
  deltas: 'Deltas',
  spared: (p: { readonly n: string; readonly size: string }) => `${p.n}, das ersparte ${p.size}`,
  tellsNews: 'meldet Neues',
  wasAsked: 'wurde um Meldungen gebeten',
  hub: 'Hub',
  hubWords: (p: { readonly hub: string; readonly state: string; readonly pushes: string; readonly refused: string }) =>
    `${p.hub} ${p.state}; ${p.pushes} Meldungen${p.refused}`,
  hints: 'Hinweise',
  noHints: 'keine vom Herausgeber',
  asksFor: 'Bittet um (ttl)',
  noMoreOften: (p: { readonly time: string }) => `nicht öfter als alle ${p.time}`,
  saysUpdates: 'Aktualisiert nach eigener Angabe',
  every: (p: { readonly time: string }) => `alle ${p.time}`,
  skipHours: 'Stunden ohne Abruf',
  skipDays: 'Tage ohne Abruf',
  hubs: 'Hubs',
  notBefore: 'Nicht vor',
  source: 'Quelle',
  theSource: 'die Quelle',
  readElsewhere: 'Anderswo lesen',
  lostAndRecovered: (p: { readonly when: ReactNode }) => (
    <>Sie verlor Beiträge ({p.when}) und hat sich seitdem erholt.</>
  ),
  losesOften: (p: { readonly when: ReactNode }) => (
    <>
      Sie verlor Beiträge ({p.when}), nicht zum ersten Mal an einem Tag: Sie veröffentlicht schneller, als sie abgerufen
      wird.
    </>
  ),
  movedTo: (p: { readonly url: string; readonly times: string }) => (
    <>
      Sie gibt an, umgezogen zu sein nach <code>{p.url}</code>; bisher {p.times} bestätigt.
    </>
  ),
  pausedWords: 'Angehalten: nichts wird abgerufen, bis sie fortgesetzt wird.',
  saturatedLost: 'Übergelaufen: Beiträge gingen verloren',
  theirDates: 'ihrem Datum',
  rateLearnt: 'der gelernten Rate',
  missing: (p: { readonly items: number; readonly low: string; readonly high: string; readonly basis: string }) =>
    `Verloren: etwa ${pluralRounded(p.items, 'Beitrag', 'Beiträge')} (${p.low} bis ${p.high}, nach ${p.basis}). `,
  nothingKnown: (p: { readonly when: ReactNode; readonly missing: ReactNode }) => (
    <>
      {p.when} war nichts mehr im Feed bekannt. {p.missing}
    </>
  ),
  cameBack: (p: { readonly items: string }) => `${p.items} kamen aus älteren Seiten des Feeds zurück.`,
  failedTimes: (p: { readonly hint: string; readonly times: string; readonly when: ReactNode }) => (
    <>
      {p.hint} {p.times} in Folge fehlgeschlagen, zuletzt {p.when}.
    </>
  ),
  slowHost: (p: { readonly time: string }) =>
    `Ihr Server ist langsam: Antworten dauern ${p.time}. Langsame Server teilen sich ein Viertel der Plätze für Anfragen, daher kann der Abruf später als geplant kommen.`,
  windowFilling: 'Platz, bis etwas verloren geht',
  notSoon: 'Bei dieser Rate füllt es sich so bald nicht.',
  fullAt: (p: { readonly time: string }) =>
    `Ohne Abruf wäre er voll: ${p.time}. Was danach kommt, verdrängt Ungesehenes.`,
  fullSince: (p: { readonly time: string }) => `Voll seit ${p.time}: Ungesehenes kann herausfallen.`,
  window: 'Platz, bis etwas verloren geht',
  windowUnknown: 'Wie viele Beiträge der Feed zugleich zeigt, ist nach den ersten Abrufen bekannt.',
  windowFilled: 'Mit noch nicht gesehenen Beiträgen gefülltes Fenster',
  latestItems: 'Neueste Beiträge',
  allItems: (p: { readonly n: string }) => `Alle ${p.n}`,
  noItemsYet: 'Noch keine; sie kommen mit dem ersten Abruf.',
  withinAMinute: ', hier innerhalb einer Minute',
  hereLater: (p: { readonly time: string }) => `, hier ${p.time} später`,
} satisfies Words['source']
