import type { NodeWords } from '../node-words.ts'

/** Wie jede Einstellung heißt und was sie bedeutet; die zweiten Texte enden ohne Punkt. */
export const deSettingsOfNode: NodeWords['settings'] = {
  quality: [
    'Sie bestimmen',
    'Eine gewünschte Qualität, etwa delay<15min; das Budget ist dann das Höchste, was dafür ausgegeben werden darf',
  ],
  budget: ['Anfragen, die ausgegeben werden', 'Anfragen im Zeitraum, etwa 60/min oder 5000/day'],
  strategy: ['Wofür sie ausgegeben werden', 'Wie das Budget verteilt wird'],
  minInterval: ['Nie öfter als alle', 'Keine Quelle öfter als so, was auch immer das Budget erlaubt'],
  maxInterval: ['Mindestens einmal in', 'Und keine seltener, wie wenig sie auch veröffentlicht'],
  estimator: ['Modell der Veröffentlichungen', 'Das Modell der Strategien, die eines brauchen'],
  burst: ['Gespartes auf einmal', 'Anfragen, die gespartes Budget auf einmal kaufen darf'],
  costs: ['Was eine Anfrage kostet', 'Gezählt werden Anfragen (requests), Bytes (bytes) oder Zeit (time)'],
  exploreShare: ['Für neue Feeds', 'Vom Budget, für den ersten Abruf neuer Quellen, während andere warten'],
  pageShare: ['Für Seiten von Beiträgen', 'Vom Budget höchstens, für Seiten von Beiträgen; 0: keine wird abgerufen'],
  iconShare: ['Für Symbole', 'Vom Budget höchstens, für Symbole der Quellen; 0: keines wird abgerufen'],
  archiveShare: ['Für Feeds, die niemand liest', 'Was eine Quelle ohne Leser zählt, gegen 1 für eine mit Lesern'],
  readerWeight: [
    'Viele Leser zählen',
    'Wie die Zahl der Leser eine Quelle wiegt: mit ihrem Logarithmus (logarithm) oder jeder gleich (linear)',
  ],
  believeSubscribers: [
    'Geglaubte Abonnenten',
    'Für so viele Leser zählt ein Programm höchstens, das seine Abonnenten nennt; 0: es zählt als einer',
  ],
  hostSpacing: ['Zwischen zwei Anfragen an einen Server', 'Kürzeste Zeit zwischen zwei Anfragen an denselben Server'],
  hostConcurrency: ['Zugleich bei einem Server', 'Anfragen, die bei einem Server zugleich laufen'],
  concurrency: ['Zugleich bei allen Servern', 'Abrufe, die zugleich laufen'],
  timeout: ['Längste Anfrage', 'Längste Zeit für eine Anfrage mit ihren Weiterleitungen'],
  maxBody: ['Größtes Dokument', 'Größtes Dokument nach dem Entpacken'],
  contact: [
    'Wem Websites schreiben können',
    'Eine Web- oder Mailadresse für Fragen zu unseren Anfragen; Vorgabe: die Adresse dieses Knotens',
  ],
  userAgent: ['Unser Name bei Websites', 'Wie wir uns Websites vorstellen'],
  push: [
    'Hubs melden Neues',
    'Die Hubs abonnieren, die Feeds nennen, damit weniger abgefragt werden muss; Hubs rufen diesen Knoten unter publicUrl',
  ],
  bundles: [
    'Mehrere Feeds in einer Anfrage',
    'Mehrere Quellen einer Website in einer Anfrage abrufen, wo sie Adressen dafür hat oder wo eine die anderen zeigt.',
  ],
  bundleFamilies: [
    'Websites, die nach mehreren Feeds gefragt werden',
    'Websites, die nach mehreren Quellen auf einmal gefragt werden: arxiv (10 Kategorien, eine Anfrage in 3 s); nur wenn genannt, weil ihre robots.txt dagegen spricht: reddit (10 Communitys, eine Anfrage in 6 s), stack-exchange (5 Tags)',
  ],
  pageFolders: [
    'Ordner, deren Seiten abgerufen werden',
    'Ordner, von deren Quellen die Seiten neuer Beiträge abgerufen werden, etwa News,Science/Physics',
  ],
  repairPages: [
    'Ältere Seiten nach einem Verlust',
    'Ältere Seiten eines Feeds, die ein Abruf nach einem Verlust lesen darf; der Rest folgt beim nächsten. 0: nie eine',
  ],
  afterLoss: [
    'Nach einem Verlust früher nachsehen',
    'Immer (sooner), oder nur mit Strategien, die Fenster kennen (strategy)',
  ],
  allowRange: ['Erlaubte private Adressen', 'Adressen, die abgerufen werden dürfen, obwohl sie nicht öffentlich sind'],
  threshold: [
    'Wann entschieden wird',
    'Ereignis für Ereignis zu einem Preis, der das Budget einhält (price), oder in Runden wie in den Arbeiten (thesis)',
  ],
  cycle: ['Länge einer Runde', 'Wie lange eine Runde der Arbeiten dauert'],
  learning: [
    'Woraus die Modelle lernen',
    'Aus jedem Abruf (online), nur aus eigenen Anfragen (separate), in einem Zeitraum (freeze) oder in einem je Runde (repeated)',
  ],
  learningShare: ['Für Anfragen zum Lernen', 'Vom Budget, für Anfragen zum Lernen, die reihum an alle Quellen gehen'],
  learnFor: ['Ein Zeitraum des Lernens dauert', 'Wie lange ein Zeitraum des Lernens dauert (freeze, repeated)'],
  learnEvery: ['Er beginnt alle', 'Vom Beginn eines Zeitraums des Lernens bis zum nächsten (repeated)'],
  publicUrl: ['Adresse dieses Knotens', 'Die Adresse, unter der Leser diesen Knoten erreichen'],
  feedItems: ['Beiträge in einem Feed', 'Beiträge in einem veröffentlichten Feed'],
  imageProxy: [
    'Bilder kommen von hier',
    'Leser laden Bilder von diesem Knoten, damit andere Websites nichts von ihnen erfahren',
  ],
  hub: [
    'Abonnenten sofort benachrichtigen',
    'Hub der hier veröffentlichten Feeds sein, damit Abonnenten (WebSub) sofort von Neuem erfahren',
  ],
  network: [
    'Unter /.well-known/headwater sagen, was veröffentlicht wird',
    'Anderen Knoten sagen, was hier öffentlich ist (/.well-known/headwater), und mit vertrauten das Abfragen gemeinsamer Quellen teilen',
  ],
  webhookTimeout: ['Längste Nachricht an einen Webhook', 'Längste Zeit für eine Nachricht an einen Webhook'],
  outputDir: ['Ordner für Dateien', 'Dateien von Zustellungen kommen unter diesen Ordner'],
  keepFor: ['Beiträge behalten für', 'Beiträge, die vor längerer Zeit zuerst gesehen wurden, werden entfernt'],
  keepItems: ['Behalten je Feed', 'Höchstens so viele Beiträge jeder Quelle werden archiviert'],
  maxData: ['Größter Datenordner', 'Größe des Datenordners, bei der nichts mehr abgerufen wird, bis wieder Platz ist'],
  keepObservationsFor: ['Verlauf der Abrufe behalten für', 'Wie lange der Verlauf der Abrufe bleibt'],
  checkEvery: ['Datenbank durchsehen alle', 'Wie oft die Datenbank auf Schäden durchgesehen wird; 0: nie'],
  checkpoint: ['Gelerntes schreiben alle', 'Wie oft geschrieben wird, was gelernt wurde'],
  bufferCapacity: ['Beiträge, die warten dürfen', 'Beiträge, die zwischen zwei Schichten warten dürfen'],
  keyFile: [
    'Datei mit dem Schlüssel',
    'Der Schlüssel, der Zugangsdaten der Quellen und Geheimnisse der Zustellungen versiegelt',
  ],
  memberSources: ['Feeds, die ein Mitglied anlegen darf', 'Quellen, die ein Mitglied hinzufügen darf'],
  memberQueries: ['Abfrage-Feeds eines Mitglieds', 'So viele Abfrage-Feeds darf ein Mitglied haben'],
  memberSubscriptions: ['Zustellungen eines Mitglieds', 'Zustellungen der Abfrage-Feeds eines Mitglieds'],
  memberTokens: ['Tokens eines Mitglieds', 'Tokens eines Mitglieds und seiner Abfrage-Feeds'],
  smtpUrl: ['Mailserver', 'Mailserver für Zustellungen per Mail'],
  mailFrom: ['Absender der Mail', 'Von wem diese Mail kommt'],
  alertMail: ['Meldungen gehen an die Mailadresse', 'Mailadresse, an die Meldungen gesendet werden, einmal je Störung'],
  alertWebhook: [
    'Meldungen gehen an den Webhook',
    'Adresse, an die Meldungen als Nachrichten eines Webhooks gesendet werden',
  ],
  alertSecret: ['Die Nachrichten sind unterschrieben mit', 'Womit diese Nachrichten unterschrieben werden'],
  smtpIn: ['Briefe annehmen an', 'Wo Briefe für Quellen angenommen werden, etwa 127.0.0.1:2525'],
  mailDomain: ['Domain ihrer Adressen', 'Was in Adressen solcher Quellen hinter dem @ steht'],
  maxLetter: ['Größter Brief', 'Größter Brief mit seinen Anhängen'],
  smtpInCert: ['Zertifikat für TLS', 'Zertifikat für Briefe über TLS (STARTTLS), eine Datei im Format PEM'],
  smtpInKey: ['Schlüssel für TLS', 'Sein Schlüssel, eine Datei im Format PEM'],
  host: ['Dienst an der Adresse', 'Adresse, an der der Knoten antwortet; 127.0.0.1 ist nur dieser Rechner'],
  port: ['Dienst am Port', 'Port, an dem der Knoten antwortet'],
  logLevel: ['Was protokolliert wird', 'Wie viel ins Protokoll kommt'],
  maxConnections: ['Verbindungen zugleich', 'Wer eine hält, ohne sie zu nutzen, macht Platz'],
  maxConnectionsPerAddress: [
    'Von einer Adresse',
    'Verbindungen einer Adresse; der eigene Rechner und vertraute Proxys zählen nicht',
  ],
  trustProxy: ['Proxys, denen geglaubt wird', 'Proxys vor dem Knoten, deren X-Forwarded-For gilt'],
  lease: [
    'Stummen Crawler ablösen nach',
    'Von mehreren Crawlern an einem Speicher: nach so langer Zeit ohne Lebenszeichen übernehmen die anderen',
  ],
  traceUrl: [
    'Spuren von Abrufen gehen an',
    'Sammler, an den eine Spur jedes Abrufs gesendet wird (OpenTelemetry, OTLP über HTTP)',
  ],
}

/** Einheiten hinter Zahlen, und warum eine Einstellung hier nicht zu ändern ist. */
export const deUnitsOfNode: NodeWords['units'] = {
  readers: 'Leser',
  requests: 'Anfragen',
  pages: 'Seiten',
  items: 'Beiträge',
  feeds: 'Feeds',
  deliveries: 'Zustellungen',
  tokens: 'Tokens',
  connections: 'Verbindungen',
}
