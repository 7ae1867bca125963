import type { ReactNode } from 'react'
import { plural } from '../amounts.ts'
import type { Words } from '../words.ts'

export const deDeliveries = {
  givenUp: (p: { readonly n: number }) => `${plural(p.n, 'aufgegebenen Beitrag', 'aufgegebene Beiträge')}`,
  webhook: 'Webhook',
  webhookField: 'Adresse, die aufgerufen wird',
  mail: 'Mail',
  mailField: 'Mailadresse',
  file: 'Datei',
  fileField: 'Pfad im Ordner der Dateien',
  atOnce: 'jeden Beitrag sofort',
  every15: 'alle 15 Minuten',
  everyHour: 'jede Stunde',
  every6: 'alle 6 Stunden',
  onceADay: 'einmal am Tag',
  onceAWeek: 'einmal in der Woche',
  sendFeed: 'Einen Abfrage-Feed senden',
  queryFeed: 'Abfrage-Feed',
  choose: 'Auswählen …',
  to: 'An',
  when: 'Wann',
  sendIt: 'Senden',
  signed: 'Damit sind die Nachrichten unterschrieben; wird einmal gezeigt',
  makeOne: 'einen anlegen',
  onlyOwn: (p: { readonly link: ReactNode }) => <>Nur eigene Abfrage-Feeds lassen sich senden. Zuerst {p.link}.</>,
  lead: 'Wohin Beiträge außer zum Lesen gehen: jeder neue Beitrag eines Abfrage-Feeds an einen Webhook, per Mail oder in eine Datei.',
  sentElsewhere: 'Was anderswohin gesendet wird',
  nothingSent: 'Nichts wird gesendet',
  chooseBelow: 'Unten einen Abfrage-Feed wählen.',
  nothingHint: (p: { readonly choose: string }) =>
    `Jeder neue Beitrag eines Abfrage-Feeds kann an einen Webhook, in eine Datei oder per Mail gehen, sofort oder gesammelt. Die Seite eines Abfrage-Feeds hat einen Knopf für Benachrichtigungen in diesem Browser. ${p.choose}`,
  goesTo: 'Geht an',
  state: 'Zustand',
  every: (p: { readonly time: string }) => `alle ${p.time}`,
  tryAgain: (p: { readonly items: string }) => `${p.items} noch einmal versuchen`,
  sendNoMoreTo: (p: { readonly feed: string; readonly target: string }) => `${p.feed} nicht mehr an ${p.target} senden`,
  sendNoMore: 'Nicht mehr senden',
  nothingSentYet: 'noch nichts gesendet',
  failed: (p: { readonly times: string }) => `${p.times} fehlgeschlagen`,
  nextTry: (p: { readonly error: string; readonly next: ReactNode; readonly last: ReactNode }) => (
    <>
      {p.error}. Nächster Versuch {p.next}; zuletzt gesendet {p.last}.
    </>
  ),
  sent: (p: { readonly when: ReactNode }) => <>gesendet {p.when}</>,
  hubFeeds: 'Am Hub abonniert',
  hubFeed: 'Feed',
  hubSubscribers: 'Abonnenten',
  hubFailing: 'Fehlschläge',
  hubLastSent: 'Zuletzt gesendet',
  hubLeaseEnds: 'Endet',
  hubRefused: 'Seit dem Start abgewiesen',
  hubReason: 'Grund',
  hubTimes: 'Anzahl',
  kindFeed: 'Abfrage-Feed',
  kindCategory: 'Ordner',
  kindSource: 'Quelle',
  whatYouFollow: 'Was Sie abonniert haben',
  followLead: 'Abfrage-Feeds, Ordner und Feeds, die Sie lesen: was mehr Leute abonnieren, wird öfter abgerufen.',
  yourFollows: 'das Abonnierte',
  nothingYet: 'Noch nichts',
  followHint: 'Hier einen Abfrage-Feed oder einen Ordner wählen, oder auf der Seite einer Quelle „Abonnieren“ drücken.',
  followersSince: (p: { readonly followers: string; readonly since: ReactNode }) => (
    <>
      {p.followers}; von Ihnen abonniert {p.since}
    </>
  ),
  readTitle: (p: { readonly title: string }) => `${p.title} lesen`,
  unfollowTitle: (p: { readonly title: string }) => `${p.title} abbestellen`,
  unfollow: 'Abbestellen',
  queryFeeds: 'Abfrage-Feeds',
  categories: 'Ordner',
  followSome: 'Einen Abfrage-Feed oder einen Ordner abonnieren',
} satisfies Words['deliveries']
