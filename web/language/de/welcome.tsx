import type { Words } from '../words.ts'

export const deWelcome = {
  myFirstFeed: 'Mein erster Feed',
  whatToHear: 'Wovon möchten Sie hören?',
  whatIsQueryFeed: 'Ein Abfrage-Feed nimmt aus allen Quellen, was gewünscht ist, und ist selbst ein Feed.',
  title: 'Titel',
  words: 'Wörter',
  wordsHelp: 'Durch Kommas getrennt; leer: alles.',
  theQuery: 'Die Abfrage, die daraus wird',
  makeFeed: 'Diesen Feed anlegen',
  firstQueryFeed: 'Erster Abfrage-Feed',
  firstMinutes: 'Die ersten fünf Minuten',
  steps: 'Schritte',
  goOn: 'Weiter',
  oneIsEnough: 'Eine Quelle genügt zum Weitermachen.',
  followed: (p: { readonly sources: string }) => `${p.sources} hinzugefügt.`,
  thatIsIt: 'Das war es',
  fills: (p: { readonly name: string }) => (
    <>
      Der Feed <strong>{p.name}</strong> füllt sich aus dem Archiv und mit allem, was kommt. Der Knoten ruft die Quellen
      so oft ab, wie sie es wert sind, im Rahmen des Budgets.
    </>
  ),
  addresses: 'Adressen des Feeds',
  readHere: 'Hier lesen',
  followSite: 'Einer Website folgen',
  orBring: 'Oder eine Liste mitbringen',
} satisfies Words['welcome']
