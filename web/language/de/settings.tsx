import type { ReactNode } from 'react'
import { count, plural } from '../amounts.ts'
import type { Words } from '../words.ts'

export const deSettings = {
  nobody: 'Niemand ist angemeldet',
  loggedInAs: (p: { readonly name: string; readonly role: string }) => `Angemeldet als ${p.name} (${p.role})`,
  about: (p: { readonly who: string; readonly version: string }) => `${p.who}. Headwater ${p.version}.`,
  whatYouDid: 'Was Sie taten',
  auditWords: 'Anmeldungen, Rechte, Tokens, Einstellungen und Entferntes, neueste zuerst',
  cluster: 'Cluster',
  clusterWords: 'die Prozesse auf denselben Daten, und wer was tut',
  publishedFeeds: 'Veröffentlichte Feeds',
  publishedWords: 'was alle abonnieren können',
  api: 'API',
  apiWords: 'jede Operation, mit dem, was sie nimmt und gibt',
  backup: 'Sicherung',
  backupWords: () => (
    <>
      Der ganze Knoten in einer Datei: Quellen, Archiv, Gelerntes, Personen und Abfrage-Feeds. Der Schlüssel, der
      Anmeldungen von Quellen versiegelt (<code>headwater.key</code>), ist nicht darin: davon anderswo eine Kopie
      aufbewahren.
    </>
  ),
  download: 'Sicherung herunterladen',
  restoreFrom: 'Aus einer Datei wiederherstellen',
  startsAgain: 'Der Knoten startet damit neu; diese Seite folgt gleich.',
  restart: 'Den Knoten neu starten, um damit weiterzumachen.',
  restored: (p: { readonly sources: string; readonly items: string; readonly next: string }) =>
    `Die Sicherung mit ${p.sources} Quellen und ${p.items} Beiträgen wurde übernommen. ${p.next}`,
  restoreThis: 'Diese Sicherung einspielen?',
  restoreWords: (p: { readonly file: string }) => (
    <>
      Der Knoten startet so, wie er in <strong>{p.file}</strong> war, mit den Personen und Passwörtern von damals. Was
      er jetzt weiß, bleibt neben seinen Daten erhalten.
    </>
  ),
  sending: 'Sendet …',
  restore: 'Wiederherstellen',
  leaveIt: 'Lassen',
  checkedOn: (p: { readonly date: string }) => ` am ${p.date}`,
  damaged: (p: { readonly when: string }) =>
    `Die Datenbank ist beschädigt (gefunden${p.when}). Die letzte gute Sicherung einspielen.`,
  whole: (p: { readonly when: string }) => `Die Datenbank wurde${p.when} durchgesehen und ist heil.`,
  notLooked: 'Noch nicht durchgesehen.',
  howMuch: 'Wie viel Headwater vom Web verlangen darf.',
  aDay: 'am Tag',
  aMinute: 'pro Minute',
  moreNothing: 'mehr änderte nichts',
  moreFresher: 'mit mehr wäre Neues frischer',
  compareInLab: 'Im Labor vergleichen',
  spends: (p: {
    readonly spent: string
    readonly allowed: string
    readonly time: string
    readonly more: string
    readonly link: ReactNode
  }) => (
    <>
      Wie viel Headwater vom Web verlangen darf. Ausgegeben werden {p.spent} von {p.allowed} Anfragen {p.time}; {p.more}
      . {p.link}
    </>
  ),
  whoMayRead: 'Wer die Feeds lesen darf',
  everySource: 'Jede einzelne Quelle',
  private: (p: { readonly title: ReactNode }) => <>privat{p.title}</>,
  namelessProgram: 'ein Programm ohne Namen',
  passwordNow: 'Jetziges Passwort',
  newPassword: 'Neues Passwort',
  passwordHelp: (p: { readonly n: number }) => `Mindestens ${count(p.n)} Zeichen; Ihre anderen Sitzungen enden.`,
  changePassword: 'Passwort ändern',
  changed: 'Geändert.',
  theCost: 'Die Kosten',
  costWords: 'So viele Anfragen; so frisch, wie sie es erlauben.',
  theLateness: 'Die Verspätung',
  latenessWords: 'Höchstens so spät oder unvollständig; so wenige Anfragen, wie es braucht.',
  lateBy: 'Höchstens so spät, im Mittel',
  lateHelp: 'Etwa 15min, 2h oder 1d',
  completeTo: 'Mindestens so vollständig',
  completeHelp: 'Prozent, etwa 99.9',
  ruleMute: 'stumm: sofort gelesen, was andere Regeln auch sagen',
  ruleRead: 'als gelesen markieren',
  ruleStar: 'merken',
  ruleTag: 'Schlagwort: in einen privaten Feed, den Apps als Etikett zeigen',
  rules: 'Regeln',
  rulesLead: 'Was mit Beiträgen geschehen soll, die bestimmte Wörter enthalten; auch mit denen, die schon da sind.',
  sourceGone: 'ihre Quelle ist fort',
  remove: 'Entfernen',
  appliedTo: (p: { readonly items: number }) => `Auf ${plural(p.items, 'Beitrag', 'Beiträge')} angewandt.`,
  ruleWords: 'Wörter, durch Kommas getrennt; eines genügt',
  from: 'Aus',
  everywhere: 'überall',
  whatHappens: 'Was geschieht',
  tagName: 'Name des Schlagworts',
  makeRule: 'Regel anlegen',
  sessions: 'Sitzungen',
  sessionsLead: 'Wo Sie angemeldet sind. Unbekanntes beenden und das Passwort ändern.',
  thisOne: 'diese',
  usedSince: (p: { readonly used: ReactNode; readonly since: ReactNode }) => (
    <>
      benutzt {p.used}, seit {p.since}
    </>
  ),
  end: 'Beenden',
  endOthers: 'Alle anderen beenden',
  days: 'Tage',
  hours: 'Stunden',
  minutes: 'Minuten',
  seconds: 'Sekunden',
  milliseconds: 'Millisekunden',
  anHour: 'pro Stunde',
  aSecond: 'pro Sekunde',
  mayHoldPassword:
    'kann ein Passwort enthalten; als Option, in der Umgebung oder in headwater.json angeben und den Knoten neu starten',
  givenAtStart: (p: { readonly given: string }) => `beim Start als ${p.given} angegeben`,
  cannotChange: (p: { readonly why: string }) => ` Hier nicht änderbar: ${p.why}.`,
  isDefault: ' Das ist die Vorgabe.',
  notSet: 'nicht gesetzt',
  unitOf: (p: { readonly title: string }) => `Einheit von: ${p.title}`,
  inWhichTime: 'Anfragen in welcher Zeit',
  theSettings: 'die Einstellungen',
  waitsForStart: (p: { readonly names: string }) => `Gespeichert, gilt ab dem nächsten Start des Knotens: ${p.names}.`,
  moreForExperts: 'Mehr für Fachleute',
  savedGoesOn: 'Gespeichert; der Knoten macht damit weiter.',
  saved: 'Gespeichert.',
  toCorrect: (p: { readonly n: number }) => ` · ${count(p.n)} zu berichtigen`,
  atOnce: ' · gilt sofort, ohne Neustart',
  nextStart: ' · gilt ab dem nächsten Start des Knotens',
  someLater: (p: { readonly names: string }) => ` · ${p.names}: ab dem nächsten Start; der Rest sofort`,
  budget: 'Budget',
  saveBudget: 'Budget speichern',
  checking: 'Abrufen',
  checkingLead: 'Wie Feeds abgerufen werden, und wie höflich.',
  saveChecking: 'Abrufen speichern',
  whoMayReadTitle: 'Wer lesen darf',
  publishingLead: 'Die Feeds, die dieser Knoten veröffentlicht, für wen, und wie sie hinausgehen.',
  savePublishing: 'Veröffentlichen speichern',
  people: 'Personen',
  peopleLead: 'Wer diesen Knoten sonst benutzt, und wie viel jede Person haben darf.',
  saveLimits: 'Grenzen speichern',
  you: 'Sie',
  youLead: 'Ihre Programme und Apps, Ihre Regeln, Ihr Passwort, und wo Sie angemeldet sind.',
  mail: 'Mail und Meldungen',
  mailLead: 'Mail senden, Briefe als Beiträge annehmen, und bei Störungen benachrichtigt werden.',
  saveMail: 'Mail speichern',
  storage: 'Speicher',
  storageLead: 'Wie lange Beiträge bleiben, wie viel Platz sie brauchen dürfen, und Sicherungen.',
  saveStorage: 'Speicher sichern',
  node: 'Knoten',
  nodeLead: 'Wo er lauscht, und was er aufschreibt.',
  saveNode: 'Knoten speichern',
  aboutTitle: 'Über',
  groupTitle: (p: { readonly group: string }) => `${p.group} · Einstellungen`,
  groups: 'Gruppen der Einstellungen',
  scopeApp: 'app: das Passwort einer Lese-App (Google Reader oder Miniflux)',
  scopeFeed: 'feed: öffnet private Feeds, sonst nichts',
  scopeRead: 'read: sieht alles',
  scopeWrite: 'write: pflegt Abfrage-Feeds, fügt Quellen hinzu',
  scopeAdmin: 'admin: ändert, was alle teilen',
  scopeFever: 'fever: für eine App, die nur Fever kennt, dessen Schlüssel schwach ist',
  tokens: 'Tokens und App-Passwörter',
  tokensLead:
    'Für Programme, Feedreader und Lese-Apps, statt Ihres Passworts. Eine App fragt nach der Adresse dieses Knotens, Ihrem Namen und einem App-Passwort.',
  token: (p: { readonly id: number }) => `Token ${count(p.id)}`,
  used: (p: { readonly when: ReactNode }) => <>benutzt {p.when}</>,
  usedBy: (p: { readonly what: string }) => ` von ${p.what}`,
  takeBack: 'Zurücknehmen',
  takeAllBack: 'Alle zurücknehmen',
  yourToken: 'Ihr Token, einmal gezeigt',
  whatFor: 'Wofür es ist',
  scope: 'Umfang',
  makeToken: 'Token anlegen',
  users: 'Personen',
  invited: 'eingeladen',
  seen: (p: { readonly when: ReactNode }) => <>gesehen {p.when}</>,
  sendAddress: 'Diese Adresse senden; sie gilt eine Woche und einmal',
  invite: 'Jemanden einladen',
  inviteHelp: 'Mit eigenen Abfrage-Feeds, gelesenen und gemerkten Beiträgen und Tokens.',
  namePlaceholder: 'Name',
  inviteButton: 'Einladen',
  networkWords: 'andere Knoten, was dort verfolgt wird, und geteilte Arbeit',
} satisfies Words['settings']
