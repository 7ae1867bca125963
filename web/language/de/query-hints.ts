import type { PhraseTable } from '../node-words.ts'

/** Was zu tun ist, wo die Stelle selbst es nicht besser sagt. */
export const deQueryHints: PhraseTable = {
  'Put texts in "quotes".': 'Texte in "Anführungszeichen" setzen.',
  'Close it with the same quote.': 'Ihn mit demselben Anführungszeichen schließen.',
  'Close it with */.': 'Ihn mit */ schließen.',
  'Write MATCHES /pattern/; a slash inside is \\/.': 'MATCHES /muster/ schreiben; ein Schrägstrich darin ist \\/.',
  'There are \\" \\\' \\\\ \\n and \\t.': 'Es gibt \\" \\\' \\\\ \\n und \\t.',
  'Give a plain number within the range named.': 'Eine einfache Zahl im genannten Bereich angeben.',
  'See docs/query-language.md for the grammar.': 'Die Grammatik steht in docs/query-language.md.',
  'Finish the statement.': 'Die Anweisung zu Ende schreiben.',
  'Begin with REGISTER, CREATE, ALTER, DROP, SUBSCRIBE or UNSUBSCRIBE.':
    'Mit REGISTER, CREATE, ALTER, DROP, SUBSCRIBE oder UNSUBSCRIBE beginnen.',
  'Put ; before it.': 'Davor ein ; setzen.',
  'Keep one of them.': 'Eines davon behalten.',
  'The order is RETURN, JOIN, WHERE, DISTINCT BY, ORDER BY, FULLTEXT.':
    'Die Reihenfolge ist RETURN, JOIN, WHERE, DISTINCT BY, ORDER BY, FULLTEXT.',
  'Say what changes: TITLE, LIMIT, CATEGORY, WEIGHT or AS RETURN …':
    'Sagen, was anders wird: TITLE, LIMIT, CATEGORY, WEIGHT oder AS RETURN …',
  'At most 200 levels: write it flatter.': 'Höchstens 200 Ebenen: flacher schreiben.',
  'Divide it into several query feeds.': 'Es auf mehrere Abfrage-Feeds verteilen.',
  'There are TITLE, DESCRIPTION, CONTENT, ITEM, CATEGORY, AUTHOR, LINK, LANGUAGE, SOURCE, SOURCE CATEGORY, PUBLISHED, ENCLOSURE.':
    'Es gibt TITLE, DESCRIPTION, CONTENT, ITEM, CATEGORY, AUTHOR, LINK, LANGUAGE, SOURCE, SOURCE CATEGORY, PUBLISHED, ENCLOSURE.',
  'There are CONTAINS, =, !=, IN (…), MATCHES /…/, SIMILAR and, for PUBLISHED and COUNT, <, <=, >, >=.':
    'Es gibt CONTAINS, =, !=, IN (…), MATCHES /…/, SIMILAR und, für PUBLISHED und COUNT, <, <=, >, >=.',
  'See the table of fields.': 'Siehe die Tabelle der Felder.',
  'Write for example ITEM CONTAINS "…"; after CONTAINS or = further texts may follow OR and AND alone.':
    'Zum Beispiel ITEM CONTAINS "…" schreiben; nach CONTAINS oder = dürfen weitere Texte allein auf OR und AND folgen.',
  'Give at least one letter or digit.': 'Mindestens einen Buchstaben oder eine Ziffer angeben.',
  'Patterns are those of RE2: no look-around, no back references.':
    'Muster sind die von RE2: kein Voraus- und Zurückschauen, keine Rückbezüge.',
  'Write "2024-05-31", "2024-05-31T18:00Z", 3 DAYS AGO or NOW - 3 DAYS.':
    '"2024-05-31", "2024-05-31T18:00Z", 3 DAYS AGO oder NOW - 3 DAYS schreiben.',
  'There are SECONDS, MINUTES, HOURS, DAYS and WEEKS.': 'Es gibt SECONDS, MINUTES, HOURS, DAYS und WEEKS.',
  'Write a tag such as "en", "de" or "pt-BR".': 'Ein Kürzel wie "en", "de" oder "pt-BR" schreiben.',
  'Give a full address such as "https://example.org/feed.xml"; names are written without quotes.':
    'Eine volle Adresse wie "https://example.org/feed.xml" angeben; Namen stehen ohne Anführungszeichen.',
  'Write an address such as "me@example.org".': 'Eine Adresse wie "me@example.org" schreiben.',
  'Give it to a source with AS.': 'Sie mit AS einer Quelle geben.',
  'Give each its own.': 'Jeder eine eigene geben.',
  'Close the first bracket before: $a[…] AND $b[…].': 'Die erste Klammer vorher schließen: $a[…] AND $b[…].',
  'Its items can be compared in the WITH condition of the JOIN only.':
    'Seine Beiträge lassen sich nur in der Bedingung WITH des JOIN vergleichen.',
  'Compare both feeds, for example WITH TITLE SIMILAR $w.TITLE > 0.6.':
    'Beide Feeds vergleichen, zum Beispiel WITH TITLE SIMILAR $w.TITLE > 0.6.',
  'Compare the same field of both items.': 'Dasselbe Feld beider Beiträge vergleichen.',
  'SIMILARITY is that of joined items: add a JOIN, or leave it out.':
    'SIMILARITY ist die von verbundenen Beiträgen: ein JOIN hinzufügen oder es weglassen.',
  'REGISTER FEED "url" AS name; first, or give the address in quotes.':
    'Zuerst REGISTER FEED "url" AS name; oder die Adresse in Anführungszeichen angeben.',
  'See `headwater source list`.': 'Siehe `headwater source list`.',
  'See `headwater query list`.': 'Siehe `headwater query list`.',
  'Choose another, or use ALTER FEED.': 'Einen anderen wählen oder ALTER FEED verwenden.',
  'TITLE, LIMIT and AS RETURN belong to query feeds, CATEGORY to registered ones; WEIGHT to both.':
    'TITLE, LIMIT und AS RETURN gehören zu Abfrage-Feeds, CATEGORY zu registrierten; WEIGHT zu beiden.',
  'Take one of them out of the circle.': 'Einen davon aus dem Kreis nehmen.',
  'Drop or alter those first.': 'Zuerst diese entfernen oder ändern.',
  'Make the feed private first, or read something else.': 'Den Feed zuerst privat machen oder etwas anderes lesen.',
}
