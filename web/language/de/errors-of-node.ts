import type { ErrorTable } from '../node-words.ts'

const TRY_SOON = 'Gleich noch einmal versuchen.'
const NOTHING_CHANGED = 'Nichts wurde geändert.'

/** Was Knoten, Eingaben und Rechte angeht: Zusammenfassung, dann was zu tun ist. */
export const deErrorsOfNode: ErrorTable = {
  SOURCE_EXISTS: ['Die Quelle ist schon da', 'Auf ihrer Seite ändern.'],
  SOURCE_NOT_FOUND: ['Keine solche Quelle', 'Siehe die Liste der Quellen.'],
  SOURCE_NO_FEED_FOUND: ['Auf dieser Seite wurde kein Feed gefunden', 'Die Adresse des Feeds selbst angeben.'],
  SOURCE_NOT_FETCHED: [
    'Diese Quelle wird nicht abgerufen: ihre Beiträge kommen als Briefe',
    'Siehe `headwater letters list`. Was zu Anfragen gehört (Adresse, Header, Anmeldung, Proxy), gibt es hier nicht.',
  ],
  ADDRESS_RULE_INVALID: [
    'Die Regel für Adressen ist nicht brauchbar',
    'Wie in docs/addresses.md schreiben: example.org/people/{name} ergibt https://example.org/feeds/{name}.xml.',
  ],
  ADDRESS_RULE_NOT_FOUND: ['Keine solche Regel für Adressen', 'Siehe `headwater source rule list`.'],
  REFRESH_FAILED: ['Nicht jede Quelle ließ sich abrufen', 'Die Seite jeder Quelle sagt, warum.'],
  OPML_INVALID: [
    'Keine Liste von Feeds',
    'Eine OPML-Datei angeben, wie Feedreader sie exportieren, oder einen Text mit einer Adresse je Zeile.',
  ],
  SITE_RULE_INVALID: [
    'Die Regel für Seiten einer Website hat Fehler',
    `${NOTHING_CHANGED} Die genannten Felder berichtigen; Selektoren sind CSS, oder XPath, wenn sie mit einem Schrägstrich beginnen.`,
  ],
  SITE_RULE_FAILS: [
    'Die Regel passt nicht zu diesen gespeicherten Seiten',
    `${NOTHING_CHANGED} Ausprobieren, bis jede Seite ihren Artikel ergibt.`,
  ],
  SITE_RULE_NOT_FOUND: ['Keine solche Regel für Seiten', 'Siehe `headwater pages rule list`.'],
  PAGE_NOT_STORED: [
    'Die Seite dieses Beitrags ist nicht gespeichert',
    'Einen Beitrag wählen, dessen Seite abgerufen wurde.',
  ],
  QUERY_INVALID: ['Der Text der Abfrage hat Fehler', `${NOTHING_CHANGED} Siehe docs/query-language.md.`],
  QUERY_NOT_FOUND: ['Kein solcher Abfrage-Feed', 'Siehe die Liste der Abfragen.'],
  QUERY_BUSY: ['Die Abfragen werden gerade ständig von anderen geändert', TRY_SOON],
  LIST_EXISTS: ['Dieser Liste wird schon gefolgt', 'Siehe `headwater source live list`.'],
  LIST_NOT_FOUND: ['Keiner Liste unter dieser Adresse wird gefolgt', 'Siehe `headwater source live list`.'],
  RULE_INVALID: ['Die Regel ist nicht brauchbar', 'Was Regeln sagen können, steht in docs/rules.md.'],
  RULE_NOT_FOUND: ['Keine solche eigene Regel', 'Siehe die Liste der Regeln.'],
  DOCTOR_FAULTS: ['Etwas stimmt nicht', 'Was zu tun ist, steht neben jedem Fehler.'],
  USAGE: ['Falsche Verwendung', 'Siehe --help.'],
  SETTINGS_INVALID: [
    'Die Datei der Einstellungen ist nicht verständlich',
    'Sie enthält JSON, etwa {"budget": "5000/day"}. Die Stelle berichtigen oder die Datei beiseitelegen.',
  ],
  DATA_NOT_FOUND: [
    'Hier gibt es keinen Knoten',
    '--data und --store prüfen. `headwater serve` und `headwater source add` legen einen neuen an.',
  ],
  FILE_UNREADABLE: ['Die Datei ist nicht lesbar', 'Pfad und Rechte prüfen.'],
  FILE_UNWRITABLE: ['Die Datei lässt sich nicht schreiben', 'Prüfen, ob ihr Ordner existiert, und seine Rechte.'],
  FILE_OUTSIDE: [
    'Die Datei einer Zustellung muss im Ordner dafür liegen',
    'Einen Pfad unter diesem Ordner angeben oder mit --output-dir einen anderen wählen.',
  ],
  FILE_TAKEN: [
    'Die Datei wird für jemand anderen geschrieben',
    'Einen anderen Pfad wählen; er gehört, wer ihn zuerst nahm.',
  ],
  LIMIT_REACHED: [
    'Mehr davon darf ein Mitglied nicht haben',
    'Einige eigene entfernen oder um eine höhere Grenze bitten (memberSources, memberQueries, memberSubscriptions, memberTokens).',
  ],
  INTERVAL_TOO_SHORT: [
    'Der Abstand ist kürzer, als dieser Knoten erlaubt',
    'Einen längeren oder keinen angeben; mit dem Recht „admin“ ist jeder möglich.',
  ],
  MAIL_NOT_SET_UP: [
    'Es ist kein Mailserver bekannt',
    'Einen angeben mit --smtp-url smtp://user:password@mail.example.org und den Absender mit --mail-from.',
  ],
  INTERRUPTED: ['Vor dem Ende angehalten', 'Noch einmal starten; was getan war, bleibt getan.'],
  LAB_CLAIM_FAILED: [
    'Eine Behauptung trifft nicht zu',
    'Die Zahlen daneben sagen, warum; im Labor zeichnet --html sie.',
  ],
  STORE_URL_INVALID: [
    'Das ist keine Adresse eines Speichers',
    'Für --store (oder HEADWATER_STORE) einen Ordner angeben, eine Datenbank wie postgres://user:password@host/database, oder nichts: dann ist alles im Datenordner.',
  ],
  STORE_MOVING: [
    'Ein Umzug in diesen Speicher ist nicht beendet',
    'Dasselbe `headwater move` noch einmal starten: es macht weiter. Bis dahin den alten Speicher verwenden.',
  ],
  MOVE_TARGET_USED: [
    'Der Zielspeicher enthält schon Daten',
    `${NOTHING_CHANGED} Einen neuen Ordner oder eine leere Datenbank angeben.`,
  ],
  MOVE_KEY_OTHER: [
    'Die beiden Speicher versiegeln Passwörter mit verschiedenen Schlüsseln',
    `${NOTHING_CHANGED} In einen Ordner ohne headwater.key umziehen oder mit --data den Ordner des richtigen Schlüssels angeben.`,
  ],
  MOVE_UNEQUAL: [
    'Was umgezogen wurde, ist nicht auf beiden Seiten gleich',
    'Der alte Speicher ist unverändert, der neue wird nicht geöffnet. Seine Platte prüfen und dasselbe `headwater move` noch einmal starten.',
  ],
  CLUSTER_NONE: [
    'Die Daten werden nicht von mehreren Prozessen geteilt',
    'Ein Cluster sind mehrere Prozesse auf einem PostgreSQL: mit --store postgres://… angeben; siehe docs/cluster.md.',
  ],
  BACKUP_ELSEWHERE: [
    'Sicherungen dieses Speichers entstehen nicht hier',
    'Die Mittel der Datenbank verwenden, etwa pg_dump, und headwater.key mit sichern; siehe docs/operating.md.',
  ],
  BACKUP_INVALID: ['Keine Sicherung eines Knotens', 'Eine Datei angeben, die mit „Sicherung“ gespeichert wurde.'],
  STORE_LOCKED: [
    'Ein anderer Knoten verwendet diesen Datenordner',
    'Ihn zuerst beenden oder mit --data einen anderen Ordner angeben.',
  ],
  STORE_TOO_NEW: ['Die Daten schrieb eine neuere Version', 'Diese oder eine neuere Version verwenden.'],
  STORE_MEMBERS_OLDER: [
    'Diese Version ändert die Datenbank so, dass arbeitende Mitglieder sie nicht verwenden können',
    `${NOTHING_CHANGED} Alle Mitglieder anhalten, eine Minute warten und die neue Version starten; siehe docs/cluster.md.`,
  ],
  STORE_CORRUPT: [
    'Die Datenbank ist beschädigt',
    'Mit `headwater restore FILE` eine Sicherung einspielen oder die Datei beiseitelegen, um neu anzufangen; siehe docs/operating.md.',
  ],
  STORE_EMPTY: [
    'Die Datenbank ist leer oder fort, obwohl ein Knoten hier sein Archiv hatte',
    `${NOTHING_CHANGED} Mit \`headwater restore FILE\` eine Sicherung einspielen oder die Datei beiseitelegen; siehe docs/operating.md.`,
  ],
  STORE_FAILED: ['Die Datenbank ließ sich nicht schreiben', 'Freien Platz und Rechte des Datenordners prüfen.'],
  STORE_DRIVER_MISSING: [
    'Das Paket, das mit PostgreSQL spricht, ist nicht installiert',
    'Es neben Headwater installieren: npm install pg',
  ],
  STORE_UNREACHABLE: [
    'Der Datenbankserver ist nicht erreichbar',
    'Rechner und Port prüfen, ob der Server läuft und ob er noch Verbindungen frei hat (max_connections).',
  ],
  STORE_LOGIN_REFUSED: [
    'Der Datenbankserver lehnt Benutzer, Passwort oder Datenbank ab',
    'Alle drei prüfen, ob es die Datenbank gibt und was pg_hba.conf erlaubt.',
  ],
  STORE_TLS: [
    'Die Verbindung zum Datenbankserver ließ sich nicht sichern',
    'Das Zertifikat der Ausstellerin mit sslrootcert=FILE in der Adresse nennen; sslmode=verify-ca vergleicht den Namen nicht, sslmode=disable verzichtet auf Verschlüsselung.',
  ],
  STORE_SERVER_UNFIT: [
    'Dieser Datenbankserver ist nicht verwendbar',
    'Nötig sind PostgreSQL 15 oder neuer, UTF8 und ein beschreibbarer Primärserver.',
  ],
  STORE_NO_RIGHTS: [
    'Dem Datenbankbenutzer fehlen Rechte',
    'Ihm die Datenbank geben oder alle Rechte am Schema und seinen Tabellen.',
  ],
  STORE_FOREIGN: [
    'Die Datenbank gehört einem anderen Programm',
    `${NOTHING_CHANGED} Eine Datenbank nur für Headwater anlegen.`,
  ],
  STORE_OTHER_CLUSTER: [
    'Die Datenbank gehört zu einem anderen Cluster',
    'Dort wurde nichts geändert. Alle Server einer Adresse müssen zu einem Cluster gehören: ein Primärserver und seine Standbys. Die Adresse prüfen; wurde die Datenbank absichtlich ersetzt, den Prozess neu starten.',
  ],
  STORE_OTHER_KEY: [
    'Der Cluster versiegelt Geheimnisse mit einem anderen Schlüssel',
    `${NOTHING_CHANGED} headwater.key eines Rechners des Clusters in diesen Datenordner kopieren oder mit --key-file nennen.`,
  ],
  STORE_FULL: [
    'Auf der Platte ist kein Platz mehr',
    `${NOTHING_CHANGED} Feeds sind weiter lesbar; Platz schaffen und noch einmal versuchen.`,
  ],
  STORE_READ_ONLY: [
    'Der Datenordner lässt sich nicht schreiben',
    `${NOTHING_CHANGED} Feeds sind weiter lesbar; nachsehen, warum die Platte schreibgeschützt ist, und die Rechte prüfen.`,
  ],
  STORE_GONE: [
    'Die Datei der Datenbank ist fort',
    'Sie zurücklegen oder eine Sicherung einspielen und den Knoten neu starten; siehe docs/operating.md.',
  ],
  FETCHING_PAUSED: [
    'Zurzeit wird nichts abgerufen, weil es sich nicht speichern ließe',
    'Was vorher abgerufen wurde, ist gespeichert. Platz schaffen, maxData erhöhen oder weniger behalten (keepFor, keepItems); der Knoten macht von selbst weiter.',
  ],
  READER_EXPIRED: [
    'Ein Leser des Zwischenspeichers war so lange fort, dass nicht gewartet wurde',
    'Er meldet sich neu an und liest Versäumtes aus dem Archiv; nichts ist zu tun.',
  ],
  READER_TAKEN: [
    'Ein Leser des Zwischenspeichers gehört einem anderen Prozess',
    'Den anderen Prozess beenden oder warten, bis sein Leser abgelaufen ist.',
  ],
  LEASE_LOST: [
    'Ein anderer Prozess hat diesen Teil der Arbeit übernommen',
    'Nichts wurde geschrieben; der andere tut es. Nichts ist zu tun.',
  ],
  KEY_UNUSABLE: [
    'Die Schlüsseldatei, die Passwörter versiegelt, ist nicht verwendbar',
    'Sie muss 32 Bytes in base64 enthalten und für den Knoten lesbar sein; ein vorhandener Schlüssel wird nie ersetzt.',
  ],
  CREDENTIALS_LOCKED: [
    'Die Anmeldung dieser Quelle wurde mit einem anderen Schlüssel gespeichert',
    'Die headwater.key des Knotens, der sie speicherte, zurücklegen und neu starten, oder die Anmeldung neu eingeben.',
  ],
  FEED_NOT_FOUND: ['Kein solcher Feed', 'Siehe die Liste unter /feeds.'],
  FEED_PRIVATE: [
    'Dieser Feed ist privat, oder es gibt keinen dieses Namens',
    'Den Namen unter /feeds prüfen. Für einen privaten Feed ein Token angeben: ?token=…',
  ],
  PUSH_UNKNOWN: [
    'Niemand hier hat unter dieser Adresse um Meldungen gebeten',
    'Keine mehr senden: das Abonnement endete oder wurde ersetzt.',
  ],
  PUSH_UNWANTED: ['Niemand hier hat um dieses Abonnement gebeten', 'Nur bestätigen, worum dieser Knoten bat.'],
  PUSH_TOO_MANY: ['Zu viele Meldungen für einen Feed', 'Höchstens 60 in der Minute senden.'],
  HUB_REQUEST_INVALID: ['Der Hub kann diese Anfrage nicht lesen', 'Siehe WebSub §5.1; die Meldung sagt, was fehlt.'],
  HUB_TOPIC_UNKNOWN: [
    'Kein Abfrage-Feed mit dieser Adresse ist offen',
    'Das Thema aus rel=self des Feeds nehmen; bei privaten endet es mit ?token=….',
  ],
  HUB_TOO_MANY: ['Mehr davon nimmt der Hub nicht', 'Nach einer Weile und seltener versuchen.'],
  ADDRESS_NOT_FOUND: ['Unter dieser Adresse ist nichts', 'Bei / anfangen.'],
  QUALITY_SCOPE: [
    'Dafür wird keine Qualität gemessen',
    'node, source:ID, category:PATH oder feed:NAME über hour, day oder week angeben.',
  ],
  LOGIN_NEEDED: ['Niemand ist angemeldet', 'Anmelden, oder ein Token als Authorization: Bearer angeben.'],
  LOGIN_FAILED: ['Name oder Passwort ist falsch', 'Beides prüfen; wem der Knoten gehört, kann neu einladen.'],
  RIGHT_MISSING: ['Dafür fehlt ein Recht', 'Fragen, wem der Knoten gehört.'],
  TOO_MANY_ATTEMPTS: ['Zu viele Versuche', 'Eine Weile warten.'],
  LOGIN_BUSY: ['Zu viele melden sich gleichzeitig an', TRY_SOON],
  ORIGIN_REFUSED: [
    'Die Anfrage kommt nicht von einer Seite dieses Knotens',
    'Programme geben ein Token an oder senden den Header X-Headwater: 1.',
  ],
  OWNER_EXISTS: ['Der Knoten gehört schon jemandem', 'Anmelden.'],
  OWNER_ELSEWHERE: [
    'Wem der Knoten gehört, wird am Rechner selbst festgelegt',
    'Die Seite dort öffnen oder den Knoten mit HEADWATER_OWNER_PASSWORD starten.',
  ],
  USER_EXISTS: ['Der Name ist vergeben', 'Einen anderen wählen.'],
  USER_NOT_FOUND: ['Niemand mit diesem Namen', 'Siehe die Liste der Personen.'],
  INVITATION_INVALID: ['Die Einladung wurde verwendet oder ist abgelaufen', 'Um eine neue bitten.'],
  SESSION_NOT_FOUND: ['Keine solche Sitzung', 'Sie ist vielleicht schon beendet.'],
  TOKEN_NOT_FOUND: ['Kein solches Token', 'Siehe die Liste der eigenen Tokens.'],
  ITEM_NOT_FOUND: ['Kein solcher Beitrag', 'Er wurde vielleicht entfernt.'],
  SUBSCRIPTION_NOT_FOUND: ['Keine solche Zustellung', 'Siehe die Liste der Zustellungen.'],
  JOB_NOT_FOUND: ['Kein solcher Auftrag', 'Aufträge werden eine Stunde nach ihrem Ende vergessen.'],
  JOB_INTERRUPTED: [
    'Der Prozess des Auftrags endete, bevor er fertig war',
    'Noch einmal starten. Ein Import lässt aus, was schon hinzugefügt ist.',
  ],
  LAB_UNAVAILABLE: [
    'Dieser Knoten hat kein Labor',
    'Ihn mit dem Befehl `headwater` starten, mit seinen Daten in einem Ordner.',
  ],
  LAB_NO_HISTORY: ['Nichts, woran sich Strategien erproben ließen', 'Den Knoten einen Tag laufen lassen.'],
  SETTING_FIXED: [
    'Diese Einstellung lässt sich hier nicht ändern',
    'Dort ändern, wo sie angegeben ist, und den Knoten neu starten.',
  ],
  IMAGE_NOT_FOUND: ['Kein solches Bild', 'Adressen von Bildern macht der Knoten; den Artikel noch einmal öffnen.'],
  IMAGE_UNUSABLE: [
    'Kein Bild, das weitergegeben wird',
    'PNG, JPEG, GIF, WebP, AVIF, BMP und Symbole werden es; für andere den Artikel auf seiner Website öffnen.',
  ],
  METHOD_NOT_ALLOWED: ['Diese Adresse lässt sich nur lesen', 'GET oder HEAD verwenden.'],
  REQUEST_INVALID: ['Die Eingabe ist nicht verständlich', 'Die genannten Stellen berichtigen.'],
  NODE_BUSY: ['Zu viele Anfragen auf einmal', TRY_SOON],
  ANSWER_TOO_LATE: [
    'Die Antwort dauerte länger als die Zeitgrenze',
    'Weniger verlangen: ein selteneres Wort, eine Kategorie oder einen kürzeren Zeitraum.',
  ],
  INTERNAL: ['Hier ging etwas schief', 'Siehe das Protokoll des Knotens; bitte melden.'],
  PORT_IN_USE: ['Der Port ist belegt', 'Mit --port einen anderen wählen.'],
  NODE_NOT_REACHED: [
    'Kein Knoten lässt diesen Befehl nachsehen',
    'Ihn starten oder --url und HEADWATER_TOKEN angeben.',
  ],
  NETWORK_PROTOCOL: [
    'Der Knoten spricht eine andere Version des Protokolls',
    'Den älteren der beiden Knoten aktualisieren.',
  ],
  NETWORK_PROFILE_INVALID: [
    'Was der Knoten über sich sagt, ist nicht brauchbar',
    'Prüfen, ob die Adresse die eines Headwater-Knotens ist, etwa https://feeds.example.org, und ob dort die Einstellung network an ist.',
  ],
  NETWORK_SIGNATURE: [
    'Was der Knoten über sich sagt, ist nicht mit seinem Schlüssel unterschrieben',
    'Vielleicht wurde es unterwegs geändert. Ihm erst folgen, wenn sein Betreiber nachgesehen hat.',
  ],
  NETWORK_PROFILE_ELSEWHERE: [
    'Was dort steht, gilt für einen Knoten an einer anderen Adresse',
    'Die Adresse angeben, die der Knoten selbst nennt (seine Einstellung publicUrl).',
  ],
  NETWORK_PROFILE_OLD: [
    'Was der Knoten über sich sagt, ist veraltet',
    'Die Uhren beider Rechner prüfen, und ob ein Proxy eine alte Kopie behält.',
  ],
  NETWORK_NOT_REACHED: [
    'Keiner der Knoten war zu lesen',
    'Die Adressen prüfen; `headwater network status` sagt, was bei jedem geschah, und jede Stunde wird es erneut versucht.',
  ],
  NETWORK_ITSELF: ['Das ist der Knoten selbst', 'Die Adresse eines anderen Knotens angeben.'],
  NETWORK_ID_TAKEN: [
    'Der Knoten trägt den Namen eines anderen, oder sein Schlüssel änderte sich ohne Ankündigung',
    'Den Betreiber fragen. Ist es richtig, den Knoten verlassen und ihm neu beitreten.',
  ],
  NETWORK_NODE_UNKNOWN: ['Kein solcher Knoten', 'In der Liste der Knoten nachsehen.'],
  NETWORK_TOO_MANY: ['Zu viele Knoten', 'Zuerst einige verlassen.'],
  NETWORK_NOT_PROPOSED: ['Das ist nicht oder nicht mehr vorgeschlagen', 'Nachsehen, was jetzt vorgeschlagen ist.'],
  PEER_REFUSED: [
    'Die Anfrage ist nicht von einem Knoten unterschrieben, dem hier vertraut wird',
    'Beide Knoten müssen einander vertrauen: `headwater network trust` auf jedem. Auch die Uhren prüfen.',
  ],
  PEER_TOO_MANY: ['Zu viele Anfragen eines Knotens', 'Eine Minute warten.'],
}
