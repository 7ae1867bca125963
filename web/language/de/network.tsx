import type { ReactNode } from 'react'
import { count, plural } from '../amounts.ts'
import type { Words } from '../words.ts'

export const deNetwork = {
  sourcesLine: (p: { readonly n: number }) => `${plural(p.n, 'Quelle', 'Quellen')}`,
  polledHere: 'hier abgerufen',
  thisNode: 'Dieser Knoten',
  feedsFollowed: (p: { readonly n: number }) => `${plural(p.n, 'Feed verfolgt', 'Feeds verfolgt')}`,
  nothingFollowed: 'nichts verfolgt',
  oneFollowed: '1 Feed verfolgt',
  title: 'Netzwerk',
  namesNodes: 'Hier stehen andere Knoten, und was von ihnen verfolgt wird.',
  theNetwork: 'das Netzwerk',
  refused: (p: { readonly code: string; readonly n: number }) => `${p.code}: ${count(p.n)} abgelehnt. `,
  thisNodeIs: (p: { readonly node: ReactNode; readonly key: ReactNode; readonly refusals: ReactNode }) => (
    <>
      Dieser Knoten ist {p.node}, Schlüssel {p.key}. {p.refusals}
    </>
  ),
  proposed: 'Vorgeschlagen',
  proposeFollow: (p: {
    readonly title: ReactNode
    readonly url: ReactNode
    readonly sources: string
    readonly cost: string
  }) => (
    <>
      {p.title} ({p.url}) folgen: am besten für {p.sources}, Schritte + α·Abstand {p.cost}
    </>
  ),
  proposePause: (p: { readonly url: ReactNode }) => <>{p.url} anhalten: ein anderer ist besser</>,
  confirm: 'Bestätigen',
  noOther: 'Noch kein anderer Knoten',
  noOtherWords: 'Knoten können Abfrage-Feeds voneinander verfolgen und sich das Abrufen gemeinsamer Quellen teilen.',
  proposes:
    'Was zu verfolgen ist, wird vorgeschlagen und erst nach Bestätigung getan. docs/network.md beschreibt den ganzen Weg.',
  whoReadsWhom: 'Wer wen liest',
  picture: 'Bild des Netzwerks',
  pictureWords: (p: { readonly sources: number; readonly nodes: number; readonly feeds: number }) =>
    `${count(p.sources)} Quellen, ${count(p.nodes)} andere Knoten, ${count(p.feeds)} verfolgte Feeds; die Tabellen darunter sagen dasselbe in Worten`,
  followedFeeds: 'Verfolgte Feeds, letzter Tag',
  feed: 'Feed',
  node: 'Knoten',
  hops: 'Schritte',
  items: 'Beiträge',
  delay: 'Verspätung',
  lost: 'Verloren',
  pushes: 'Meldungen',
  polls: 'Abrufe',
  circle: 'Kreis, jeder Beitrag einmal',
  nodes: 'Knoten',
  state: 'Zustand',
  about: 'Über',
  distance: 'Abstand',
  feeds: 'Feeds',
  refusedHead: 'Abgelehnt',
  sharing: 'Geteiltes Abrufen',
  inCommon: 'Gemeinsam',
  polledThere: 'Dort abgerufen',
  asked: 'Selbst gefragt',
  passedOn: 'Weitergegeben',
  ofAlone: 'Statt allein',
  news: 'Neues',
  checks: 'Prüfungen',
  wrong: 'Falsch',
  learnt: 'Gelernt',
  silent: 'still',
  reached: 'erreichbar',
  trusted: 'vertraut',
} satisfies Words['network']
