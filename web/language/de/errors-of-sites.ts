import type { ErrorTable } from '../node-words.ts'

const LATER = 'Die Website ist vielleicht überlastet; später noch einmal versuchen.'
const FEED_STAYS = 'Was der Feed über den Beitrag sagt, bleibt; der Link führt zur Seite.'

/** Was beim Abrufen und Lesen schiefgeht: Zusammenfassung, dann was zu tun ist. */
export const deErrorsOfSites: ErrorTable = {
  FETCH_DNS: ['Der Rechnername ist nicht auffindbar', 'Schreibweise des Namens und das eigene DNS prüfen.'],
  FETCH_CONNECT: [
    'Keine Verbindung zum Server',
    'Die Website ist vielleicht ausgefallen; die Adresse im Browser versuchen.',
  ],
  FETCH_TLS: [
    'Die gesicherte Verbindung kam nicht zustande',
    'Das Zertifikat ist vielleicht abgelaufen; die Adresse im Browser versuchen.',
  ],
  FETCH_TIMEOUT_CONNECT: ['Das Verbinden dauerte zu lange', LATER],
  FETCH_TIMEOUT_HEADERS: ['Keine Antwort innerhalb der Zeitgrenze', LATER],
  FETCH_TIMEOUT_BODY: ['Die Antwort stockte länger als die Zeitgrenze', LATER],
  FETCH_TIMEOUT_TOTAL: [
    'Die ganze Anfrage dauerte länger als die Zeitgrenze',
    'Die Grenze erhöhen, wenn diese Website immer so langsam ist.',
  ],
  FETCH_TOO_SLOW: [
    'Die Antwort kam zu langsam und wurde abgebrochen',
    'Die Website ist überlastet oder hält die Verbindung absichtlich; es wird später wieder versucht.',
  ],
  FETCH_TOO_LARGE: [
    'Die entpackte Antwort ist größer als erlaubt',
    'Die Grenze erhöhen, wenn dieser Feed wirklich so groß ist.',
  ],
  FETCH_NO_ROOM: [
    'Der Knoten hatte keinen Speicher mehr für eine so große Antwort',
    'Es wird wieder versucht. Kommt es oft vor, dem Knoten mehr Speicher geben (NODE_OPTIONS=--max-old-space-size=512) oder maxBody senken.',
  ],
  FETCH_BAD_ENCODING: [
    'Die komprimierte Antwort ist beschädigt',
    'Die Website benachrichtigen; ihr Server komprimiert falsch.',
  ],
  FETCH_BROKEN: ['Die Verbindung brach beim Lesen der Antwort ab', 'Später noch einmal versuchen.'],
  FETCH_TOO_MANY_REDIRECTS: ['Zu viele Weiterleitungen', 'Die endgültige Adresse als Quelle angeben.'],
  FETCH_REDIRECT_LOOP: [
    'Die Weiterleitungen laufen im Kreis',
    'Die Website ist falsch eingerichtet; die Adresse im Browser ansehen.',
  ],
  FETCH_BAD_REDIRECT: [
    'Eine Weiterleitung ohne brauchbare Adresse',
    'Die Website ist falsch eingerichtet; die Adresse im Browser ansehen.',
  ],
  FETCH_ADDRESS_REFUSED: [
    'Die Adresse ist privat, lokal oder sonst nicht öffentlich',
    'Wem der Knoten gehört, kann ihren Bereich in den Einstellungen erlauben (allowRange), etwa 192.168.1.0/24.',
  ],
  FETCH_BAD_URL: [
    'Keine brauchbare http- oder https-Adresse',
    'Eine vollständige Adresse angeben, etwa https://example.org/feed.xml.',
  ],
  FETCH_BAD_REQUEST: [
    'Ein Header oder eine Einstellung der Quelle lässt sich nicht senden',
    'Header und User-Agent der Quelle auf Zeilenumbrüche und fremde Zeichen prüfen.',
  ],
  FETCH_HOST_BUSY: [
    'Der Server, zu dem eine Weiterleitung führt, war nicht mehr an der Reihe',
    'Viele Quellen teilen sich diesen Server; in einer Minute noch einmal versuchen.',
  ],
  FETCH_ABORTED: ['Die Anfrage wurde abgebrochen', 'Der Knoten wurde beendet, oder jemand hat abgebrochen.'],
  FETCH_PROXY: ['Der Proxy lehnte ab oder war nicht erreichbar', 'Die Proxy-Einstellung der Quelle prüfen.'],
  HTTP_UNAUTHORIZED: [
    'Die Website verlangt eine Anmeldung (401 oder 407)',
    'Benutzer und Passwort oder einen Header in den Angaben der Quelle eintragen.',
  ],
  HTTP_FORBIDDEN: ['Die Website lehnt ab (403)', 'Einen anderen User-Agent versuchen oder die Website fragen.'],
  HTTP_NOT_FOUND: ['Nicht gefunden (404)', 'Der Feed ist vielleicht umgezogen; auf der Website nach ihm suchen.'],
  HTTP_GONE: ['Endgültig entfernt (410)', 'Die Quelle entfernen; sie wird nicht mehr abgerufen, außer auf Wunsch.'],
  HTTP_TOO_MANY_REQUESTS: ['Zu viele Anfragen (429)', 'Der ganze Server ruht so lange, wie er darum bat.'],
  HTTP_UNAVAILABLE: [
    'Dienst nicht verfügbar (503)',
    'Die Website ist überlastet oder wird gewartet; später noch einmal versuchen.',
  ],
  HTTP_SERVER_ERROR: [
    'Der Server meldete einen Fehler (5xx)',
    'Die Website hat Schwierigkeiten; später noch einmal versuchen.',
  ],
  HTTP_CLIENT_ERROR: ['Der Server lehnte die Anfrage ab (4xx)', 'Adresse, Header und Anmeldung prüfen.'],
  HTTP_UNEXPECTED: ['Eine Antwort, die hier keinen Sinn ergibt', 'Die Adresse im Browser ansehen.'],
  PARSE_NOT_A_FEED: [
    'Das Dokument ist kein Feed',
    'Die Seite bei „Quelle hinzufügen“ angeben; dort wird nach Feeds gesucht.',
  ],
  PARSE_CHARSET: ['Das Dokument hat einen Zeichensatz, der nicht gelesen wird', 'Den Herausgeber um UTF-8 bitten.'],
  PARSE_EMPTY: ['Das Dokument ist leer', 'Die Website ist vielleicht gerade gestört; später noch einmal versuchen.'],
  PAGE_ROBOTS: [
    'Die robots.txt der Website erlaubt diese Seite nicht',
    'Was der Feed über den Beitrag sagt, bleibt. Die Website fragen oder ihre Seiten nicht abrufen.',
  ],
  PAGE_ROBOTS_UNREACHABLE: [
    'Die Website antwortete nicht auf die Frage nach robots.txt',
    'Die Seite wird später wieder versucht.',
  ],
  PAGE_NOT_HTML: ['Die Seite des Beitrags ist kein HTML', FEED_STAYS],
  PAGE_TOO_LARGE: ['Die Seite des Beitrags ist zu groß zum Lesen', FEED_STAYS],
  PAGE_TOO_COSTLY: ['Das Lesen der Seite brauchte zu viel Zeit oder Speicher', FEED_STAYS],
  PAGE_NO_TEXT: [
    'Die Seite des Beitrags hat keinen Artikeltext',
    'Was der Feed über den Beitrag sagt, bleibt; eine Regel für die Website findet ihn vielleicht.',
  ],
  LISTING_NOT_HTML: [
    'Die Adresse führt zu einer Datei, die keine Seite ist',
    'Die Adresse der Seite angeben, die solche Dateien auflistet.',
  ],
  SELECTOR_INVALID: [
    'Ein Selektor ist nicht lesbar',
    'In CSS schreiben, etwa "article.post" oder "ul.news > li". Siehe docs/pages.md.',
  ],
  SELECTOR_TOO_COSTLY: [
    'Ein Selektor dauert auf dieser Seite zu lange',
    'Klassen statt "*" nennen und weniger :has, :not und :contains verwenden.',
  ],
  LISTING_EMPTY: [
    'Die Selektoren finden nichts auf der Seite',
    'Die Website wurde vielleicht umgebaut: beim Hinzufügen ihrer Seite erscheinen passende Selektoren; die dieser Quelle ändert die Befehlszeile.',
  ],
  MAIL_FAILED: ['Der Mailserver nahm die Nachricht nicht an', 'Es wird in wachsenden Abständen wieder versucht.'],
  MAIL_REFUSED: ['Der Mailserver lehnte die Nachricht ab', 'Adresse des Empfängers und Absender (--mail-from) prüfen.'],
  LETTER_SENDER_REFUSED: [
    'Ein Brief kam von einem Absender, der an diese Quelle nicht schreiben darf',
    'Ist er erwünscht, den Absender erlauben; sonst der Quelle eine andere Adresse geben. Siehe docs/letters.md.',
  ],
  LETTER_TOO_COMPLEX: [
    'Ein Brief hat mehr Teile als jeder Newsletter',
    'Er wurde ungelesen abgelehnt. Kommen weitere, der Quelle eine andere Adresse geben.',
  ],
  LETTER_UNREADABLE: ['Ein Brief ist nicht lesbar', 'Er wurde abgelehnt, und der Absender erfuhr es.'],
  LETTER_TOO_MANY: [
    'Für diese Quelle kamen mehr Briefe, als am Tag gespeichert werden',
    'Die Absender versuchen es wieder. Sind sie erwünscht, die Grenze erhöhen: `headwater source set ID --allowance 20000`.',
  ],
}
