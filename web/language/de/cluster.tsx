import type { ReactNode } from 'react'
import { count, form, plural } from '../amounts.ts'
import type { Words } from '../words.ts'

export const deCluster = {
  handOvers: (p: { readonly n: number }) => `${plural(p.n, 'Übergabe', 'Übergaben')}`,
  title: 'Cluster',
  forOwner: 'Für die Person, der der Knoten gehört',
  namesMachines: 'Hier stehen Rechner, und was jeder tut.',
  theCluster: 'den Cluster',
  database: 'Datenbank',
  oneNode: 'Ein Knoten allein',
  oneNodeWords: (p: { readonly folder: ReactNode }) => (
    <>
      Seine Daten sind in {p.folder}, und ein Prozess tut alle Arbeit. Das genügt meist: ein Cluster ist für alle, die
      mehr Feeds verfolgen, als ein Rechner kann, oder deren Knoten nicht mit einem Rechner ausfallen darf.
    </>
  ),
  toBecome: 'Zum Cluster werden',
  makeDatabase: 'Auf einem PostgreSQL-Server eine Datenbank anlegen, diesen Knoten anhalten und seine Daten umziehen:',
  thenStart: 'Dann beliebig viele Prozesse darauf starten, auf beliebigen Rechnern; --role sagt, was jeder tut:',
  wholeWay: 'docs/cluster.md beschreibt den ganzen Weg, vom Laptop zu mehreren Rechnern.',
  members: 'Mitglieder',
  member: 'Mitglied',
  roles: 'Rollen',
  version: 'Version',
  since: 'Seit',
  heartbeat: 'Letztes Lebenszeichen',
  shardsHead: 'Teile',
  granted: 'Bewilligt',
  silent: 'still',
  shardsAndLeases: 'Teile und Pachten',
  role: 'Rolle',
  withOwner: 'Mit Besitzer',
  without: 'Ohne',
  handOversHead: 'Übergaben',
  readersOfItems: 'Leser neuer Beiträge',
  reader: 'Leser',
  whose: 'Wessen',
  itemsBehind: 'Beiträge im Rückstand',
  notWaitedFor: 'wird nicht mehr abgewartet',
  noneYet: 'Noch keine.',
  now: 'Der Cluster jetzt',
  notHeardOf: (p: { readonly n: string }) => `${p.n} weitere ohne Lebenszeichen`,
  processesThere: 'Prozesse, die sich melden',
  shardsWithout: 'Teile ohne Besitzer',
  sinceMade: (p: { readonly handOvers: string }) => `${p.handOvers}, seit es den Cluster gibt`,
  price: 'Preis τ',
  nobodySet: 'noch niemand hat einen gesetzt',
  mustBeWorth: (p: { readonly strategy: string; readonly time: string }) =>
    `was ein Abruf wert sein muss (${p.strategy}), gesetzt vor ${p.time}`,
  farthest: 'Größter Rückstand',
  slowestReader: 'Beiträge, die der langsamste Leser noch nicht gelesen hat',
  noCrawlerYet: 'noch kein Crawler hat gesagt, was ausgegeben werden darf',
  spentIn: (p: { readonly spent: string; readonly amount: string; readonly time: string }) =>
    `; ${p.spent} von ${p.amount} ausgegeben in ${p.time}`,
  inHand: (p: { readonly balance: string; readonly limit: string }) =>
    `Anfragen bewilligt; ${p.balance} weitere wären jetzt möglich${p.limit}`,
  requestsASecond: 'Anfragen pro Sekunde',
  drawnSoon: 'Wird gezeichnet, sobald Crawler eine Minute gearbeitet haben.',
  noBudget: 'ohne Budget',
  againstBudget: (p: { readonly budget: string }) => `bei einem Budget von ${p.budget}`,
  requestsOfAll: (p: { readonly time: string; readonly budget: string }) =>
    `Anfragen pro Sekunde aller Mitglieder über ${p.time}, ${p.budget}`,
  budget: 'Budget',
  isBehind: (p: { readonly name: string; readonly items: string }) =>
    `Der Leser „${p.name}“ ist ${p.items} im Rückstand.`,
  atWork: (p: { readonly members: string; readonly n: number }) => `${p.members} ${form(p.n, 'arbeitet', 'arbeiten')}`,
  notAllWell: (p: { readonly there: string }) => `${p.there}, aber nicht alles ist in Ordnung.`,
  allWell: (p: { readonly there: string }) =>
    `Alles in Ordnung: ${p.there}, und alles, was zu tun ist, hat einen Besitzer.`,
  nobodyMoves: 'Niemand bewegt den Preis: er folgt dem letzten Tag, bis ein Crawler übernimmt.',
  noRole: (p: { readonly role: string; readonly again: string }) =>
    `Kein ${p.role} arbeitet: mit --role ${p.again} einen starten.`,
  waitFor: (p: { readonly free: string; readonly shards: number; readonly role: string }) =>
    `${p.free} von ${count(p.shards)} warten auf einen ${p.role}.`,
  notHeard: (p: { readonly name: string; readonly time: string }) =>
    `Von ${p.name} kam seit ${p.time} nichts; andere haben die Arbeit übernommen.`,
} satisfies Words['cluster']
