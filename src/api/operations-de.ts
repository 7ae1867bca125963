/** What each operation does, in German; English is in the table of operations. */
export const GERMAN_SUMMARIES: Readonly<Record<string, string>> = {
  me: 'Wer fragt und mit welchen Rechten; ob der Knoten noch auf seinen Besitzer wartet',
  claimNode:
    'Erster Start: Besitzer werden. Geht nur einmal und nur von der Maschine selbst, wenn nichts anderes eingestellt ist',
  logIn: 'Anmelden; setzt das Sitzungs-Cookie. Einige Versuche in der Minute',
  logOut: 'Abmelden: die Sitzung endet sofort',
  changePassword: 'Das eigene Passwort ändern; die anderen eigenen Sitzungen enden',
  showWish: 'Welche Qualität sich die fragende Person wünscht und was das vom Budget nimmt',
  setWish: 'Für alles, was man liest, eine Qualität wünschen; null: keine',
  listSessions: 'Die eigenen Sitzungen: wann jede begann und zuletzt verwendet wurde, von wo und womit',
  endSession: 'Eine eigene Sitzung beenden, sofort',
  endOtherSessions: 'Alle eigenen Sitzungen beenden außer der dieser Anfrage; mit einem Token alle',
  acceptInvitation: 'Mit dem Geheimnis einer Einladung ein Passwort wählen und sich anmelden',
  listUsers: 'Alle Personen',
  inviteUser: 'Jemanden einladen; das Geheimnis wird einmal gezeigt und gilt eine Woche',
  removeUser:
    'Eine Person mit Sitzungen, Tokens, Gelesenem und Vertrauen entfernen; ihre Abfrage-Feeds bleiben und gehen an den Besitzer, ohne Tokens und Zustellungen',
  listTokens: 'Die eigenen Tokens',
  addToken:
    'Ein Token oder ein Passwort für eine Lese-App (scope app) anlegen; es wird einmal gezeigt. Es hat nie mehr Rechte als wer es anlegt',
  removeTokens: 'Alle eigenen Tokens zurücknehmen außer dem, das fragt',
  removeToken: 'Ein Token zurücknehmen; wer es hat, ist sofort ausgesperrt',
  sourceTable:
    'Alle Quellen in einer knappen Antwort, nach Spalten: für jede eine Liste von Werten in der Reihenfolge der ids',
  listSources: 'Quellen nach Filter, sortiert, seitenweise',
  discoverSource: 'Eine Adresse abrufen und die dort gefundenen Feeds zeigen; nichts wird gespeichert',
  addSource:
    'Einer Quelle folgen. `discover`: zuerst den Feed hinter der Adresse suchen (üblich), sonst sie nehmen, wie sie ist',
  showSource:
    'Alles über eine Quelle: Einstellungen, Zustand, Hinweise, Verluste, Fehler, nächster Abruf und sein Grund',
  setSource: 'Einstellungen ändern; was nicht genannt ist, bleibt',
  removeSource: 'Einer Quelle nicht mehr folgen; ihre Beiträge gehen mit',
  refreshSource: 'Jetzt abrufen, soweit es höflich ist; das Ergebnis kommt bei /api/events',
  sourceRefreshes: 'Ihre Abrufe, die neuesten zuerst, mit dem, was jeder fand und weshalb es ihn gab',
  sourceModel: 'Was über sie gelernt wurde: Beiträge pro Stunde für jede Stunde der Woche',
  trustSource: 'Das eigene Vertrauen in eine Quelle, 0 bis 1; gewichtet, was für sie ausgegeben wird',
  listCategories: 'Ordner mit der Zahl ihrer Quellen, Unterordner mitgezählt',
  renameCategory: 'Einen Ordner mit seinen Unterordnern umbenennen; gibt es den neuen schon, werden beide einer',
  exportOpml: 'Alle Quellen als OPML, ohne Passwörter',
  importOpml:
    'Allen Feeds einer Liste folgen (OPML, FOAF, einfache Adressen) oder die Artikel eines anderen Readers übernehmen; läuft als Auftrag weiter',
  listIcons:
    'Wo die Symbole der Quellen gezeigt werden, die eines haben; eines, nach dem noch niemand fragte, ist später da',
  suggestListings:
    'Eine Seite ohne Feed abrufen und Selektoren für ihre Listen vorschlagen, die wahrscheinlichsten zuerst; nichts wird gespeichert',
  previewListing: 'Eine Seite abrufen und die Beiträge zeigen, die Selektoren darauf finden; nichts wird gespeichert',
  listLetters: 'Die eigenen Quellen, an die Briefe geschickt werden, mit ihren Adressen',
  addLetters: 'Eine neue Quelle mit einer Adresse, an die Briefe geschickt werden können',
  setLetters: 'Wer an eine der eigenen schicken darf; ersetzt, wer es vorher durfte',
  renewLetters: 'Einer der eigenen eine andere Adresse geben; die alte nimmt nichts mehr an',
  revokeLetters: 'Einer der eigenen, mit dem Recht admin jeder, die Adresse nehmen; ihre Beiträge bleiben',
  listAddressRules:
    'Die eigenen Regeln von eingefügten Adressen zu Feeds und die für alle; sie gelten vor den eingebauten',
  addAddressRule: 'Eine solche Regel anlegen oder die dieses Namens ersetzen. `isForAll` braucht das Recht admin',
  removeAddressRule: 'Eine solche Regel entfernen. `isForAll` braucht das Recht admin',
  exportItems: 'Das Archiv mit dem eigenen Gelesen und Gemerkt, als JSON in der Form des Google Reader',
  listLiveLists: 'Listen von Feeds an einer Adresse, denen die Quellen folgen',
  addLiveList:
    'Einer Liste folgen: was sie nennt, wird eine Quelle, was sie verlässt, wird angehalten; gelesen binnen einer Minute, dann stündlich',
  removeLiveList: 'Einer Liste nicht mehr folgen; ihre Quellen bleiben',
  listRules: 'Die eigenen Regeln, jede mit der Abfrage, die sie ist',
  addRule:
    'Markieren, merken, stummschalten oder beschriften, was von irgendwoher kommt und eines von einigen Wörtern enthält; auch was schon da ist',
  removeRule: 'Eine eigene Regel entfernen; was sie tat, bleibt, doch eine Beschriftung geht mit',
  listItems:
    'Beiträge eines Abfrage-Feeds, Ordners oder einer Quelle oder alle; die neuesten oder ältesten zuerst, seitenweise; nach Wörtern, "Wortfolgen" und -nicht, nach Zeit, ungelesen, gemerkt',
  showItem: 'Ein Beitrag, sein Inhalt gefahrlos gemacht',
  fetchPageAgain:
    'Die Seite eines Beitrags noch einmal abrufen; was sich dort geändert hat, gilt als Änderung des Beitrags',
  markItems: 'Das eigene Gelesen und Gemerkt; was nicht genannt ist, bleibt',
  markAllRead:
    'Alles eines Abfrage-Feeds, Ordners oder einer Quelle oder überhaupt, bis zu einem Beitrag, der gezeigt wurde',
  unreadCounts:
    'Wie viele Beiträge ungelesen sind, nach Ordner, Quelle und Abfrage-Feed; gezählt werden die neuesten 10.000',
  listSiteRules: 'Regeln dieses Knotens zum Lesen von Seiten einzelner Websites; sie gelten vor den eingebauten',
  trySiteRule: 'Was eine Regel aus gespeicherten Seiten machen würde',
  addSiteRule: 'Eine Regel speichern, die auf allen diesen Seiten stimmt, oder die dieses Namens ersetzen',
  removeSiteRule: 'Eine solche Regel entfernen',
  checkQueries:
    'Was an einem Text aus Anweisungen oder an einer einzelnen Abfrage nicht stimmt; nichts wird gespeichert',
  queryWords: 'Zum Ergänzen im Editor: Namen von Quellen, Abfrage-Feeds und Ordnern; Felder und Schlüsselwörter',
  previewQueries: 'Was Abfragen vom Archiv enthielten: Treffer nach Quelle und Tag, Selektivität, neueste Beiträge',
  applyQueries: 'Anweisungen ausführen, alle oder keine. Ohne das Recht admin nur eigene Abfrage-Feeds',
  listQueryFeeds: 'Abfrage-Feeds: die öffentlichen und die eigenen; für Verwalter alle',
  queryGraph: 'Welche Feeds auf welchen aufbauen',
  showQueryFeed: 'Ein Abfrage-Feed mit Anweisung, Selektivität, Nachfüllen und dem, was er liest und wer ihn liest',
  setQueryFeed:
    'Öffentlich oder privat; was seine Beiträge beim Ausgeben des Budgets zählen; welche Qualität er haben soll',
  dropQueryFeed: 'Ihn mit Veröffentlichungen, Zustellungen und Tokens entfernen',
  addFeedToken: 'Ein Token, das diesen privaten Feed einem Reader öffnet; es wird einmal gezeigt',
  removeFeedToken: 'Es zurücknehmen',
  listFollows: 'Wem die fragende Person folgt: Abfrage-Feeds, Ordner und Quellen',
  follow:
    'Einem Abfrage-Feed, Ordner oder einer Quelle folgen; was mehr Menschen verfolgen, zählt beim Ausgeben des Budgets mehr',
  unfollow: 'Dem nicht mehr folgen',
  listSubscriptions: 'Wohin Veröffentlichungen gesendet werden, von den Feeds, die man ändern darf',
  subscribe:
    'Senden, was ein Abfrage-Feed veröffentlicht: an einen Webhook, in eine Datei, per Mail oder an einen Browser; das Geheimnis signiert Webhooks',
  showPushKey: 'Der Schlüssel, mit dem ein Browser Benachrichtigungen abonniert (`applicationServerKey`)',
  unsubscribe: 'Nicht mehr senden',
  listDeadLetters: 'Veröffentlichungen, die sich nicht zustellen ließen, die neuesten zuerst',
  requeueDeadLetters: 'Sie noch einmal versuchen lassen',
  showHub:
    'Wer beim Hub (WebSub) Feeds abonniert hat, die man ändern darf (Verwalter: auch die eingebauten), und was er abgelehnt hat',
  health:
    'Ob der Knoten antworten kann und seine Arbeit tut: Warnungen und Teile. 503, wo er sein Archiv nicht lesen kann',
  overview: 'Ob der Knoten vollständig, frisch und im Budget ist, auf einen Blick',
  qualityReport:
    'Qualität von node, source:ID, category:PATH oder feed:NAME in der letzten Stunde, dem letzten Tag oder der letzten Woche',
  qualitySeries: 'Qualität von node, source:ID, category:PATH oder feed:NAME, Schritt für Schritt, die ältesten zuerst',
  showBudget: 'Budget, Strategie, Preis und was ausgegeben ist',
  setBudget: 'Budget, gewünschte Qualität oder Strategie ändern. In den Einstellungen gespeichert; gilt sofort',
  listFeeds: 'Veröffentlichte Feeds außer Abfrage-Feeds und einzelnen Quellen: alles und die Ordner',
  setFeedAccess:
    'Einen veröffentlichten Feed öffentlich oder privat machen; private brauchen ein Token mit scope feed oder read oder eine Sitzung',
  listSettings: 'Alle Einstellungen: Wert, woher er kommt und ob er sich hier setzen lässt',
  checkSettings: 'Was an Einstellungen nicht stimmt, bevor sie gelten; nichts wird geändert',
  setSettings: 'Einstellungen in headwater.json speichern; null: zurück zum üblichen Wert',
  backup: 'Der ganze Knoten in einer Datei, von einem Augenblick, während er läuft',
  restore: 'Eine Sicherung einspielen: der Knoten startet neu damit, und die jetzigen Daten bleiben daneben liegen',
  events:
    'Ereignisse vom Server: `refresh` {sourceId, at, newItems, error}, `items` {count, sourceIds} höchstens einmal in der Sekunde, `job` (eigene), `queries` {}, `alarms` {}',
  showJob: 'Wie weit ein Auftrag ist und was er ergab. Eine Stunde nach ihrem Ende werden Aufträge vergessen',
  showCluster:
    'Die Prozesse auf denselben Daten: was jeder hat, der gemeinsame Preis und das Budget, und wie weit Leser zurück sind',
  showNetwork: 'Knoten, die dieser kennt, was er von ihnen verfolgt, was vorgeschlagen ist und mit wem er Arbeit teilt',
  joinNetwork:
    'Knoten kennenlernen und sich vorschlagen lassen, was von ihnen zu verfolgen ist; noch wird nichts verfolgt',
  leaveNetworkNode: 'Einen Knoten vergessen; was von ihm verfolgt wird, bleibt eine Quelle',
  applyNetworkProposal: 'Bestätigen, was vorgeschlagen ist, oder einige Feeds davon: sie werden Quellen',
  trustNetworkNode:
    'Einem Knoten vertrauen: gemeinsame Quellen ruft einer der beiden ab, sobald auch er diesem vertraut',
  revokeNetworkNode: 'Einem Knoten nicht mehr vertrauen',
  rotateNetworkKey:
    'Einen neuen Schlüssel nehmen, für den der alte bürgt; Knoten, die diesem vertrauen, folgen von selbst',
  runLab:
    'Was mit anderen Strategien und Budgets geschehen wäre, auf der Geschichte dieses Knotens; läuft als Auftrag weiter',
  listAudit:
    'Wer was tat, das Neueste zuerst: Anmeldungen, Rechte, Tokens, Einstellungen, Entfernungen. Ohne das Recht admin nur die eigenen Einträge',
  listAlerts:
    'Was einen Menschen braucht, einmal für jeden Ärger: Feeds, die verschwanden oder überfluten, volle Fenster, ein zu kleines Budget, ein Knoten, der stillsteht. Das Neueste zuerst',
}
