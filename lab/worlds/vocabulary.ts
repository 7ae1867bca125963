/**
 * Words for generated text. Every language uses plural nouns whose subject and object forms are alike and adjectives
 * that fit all of them, so that random sentences stay grammatical without a grammar.
 */
export interface Vocabulary {
  readonly nouns: readonly string[]
  readonly adjectives: readonly string[]
  readonly verbs: readonly string[]
  /** Where or when; closes a sentence. */
  readonly settings: readonly string[]
  /** Patterns with %N, %A, %V, %S as places; the first is for titles. */
  readonly patterns: readonly string[]
  readonly authors: readonly string[]
  readonly topics: readonly string[]
}

const words = (list: string) => list.trim().split(/\s+/)
const phrases = (list: string) => list.trim().split(/\s*\|\s*/)

export const VOCABULARIES = {
  en: {
    nouns: words(`rivers bridges harbours libraries markets gardens engineers teachers sailors farmers trains ferries
      orchards museums villages towers clocks letters maps signals budgets reports councils neighbours students
      researchers glaciers meadows lighthouses workshops archives festivals bakeries canals satellites batteries
      prices windows mills reservoirs`),
    adjectives: words(`old quiet northern southern small large careful early late bright wooden public private famous
      hidden patient narrow wide modern ancient local distant unusual reliable`),
    verbs: words(`support replace follow describe repair connect measure surprise avoid welcome surround question
      rebuild outlast cross observe change protect compare reach`),
    settings: phrases(`after the long winter | near the old quay | before the end of the month | in spite of the rain |
      for the first time in years | along the eastern shore | without much ado | since last summer |
      according to those who were there | at the edge of town | while nobody was looking | in three of four cases`),
    patterns: [
      '%A %N %V %A %N',
      'The %N %V the %A %N %S.',
      '%A %N %V %N %S, and the %N %V them.',
      'Many %N %V the %N.',
      'Few %A %N %V %A %N %S.',
      'The %A %N of the valley %V all the %N %S.',
      'Nobody expected that %N %V %A %N.',
    ],
    authors: phrases('Ada Marsh | Tom Ellery | Ines Calder | Ruth Okafor | Sam Whitlock | Nora Vance | J. P. Dunmore'),
    topics: words('travel science economy culture weather sport local opinion technology history'),
  },
  de: {
    nouns: words(`Brücken Häfen Flüsse Bücher Züge Gärten Märkte Dörfer Türme Uhren Karten Briefe Werkstätten Inseln
      Wälder Straßen Schulen Museen Felder Schiffe Messungen Preise Berichte Pläne Akten Mühlen Gletscher`),
    adjectives: words(
      'alte neue kleine große stille nördliche frühe späte helle schmale öffentliche berühmte ferne üppige',
    ),
    verbs: words(
      'verbinden ersetzen überraschen begleiten prägen tragen schützen überdauern verändern berühren umgeben',
    ),
    settings: phrases(`seit dem Frühjahr | trotz des Regens | zum ersten Mal seit Jahren | am Rand der Stadt |
      vor dem Ende des Monats | ohne großes Aufsehen | entlang der Küste | nach langem Zögern`),
    patterns: [
      '%A %N %V %A %N',
      'Die %N %V %A %N %S.',
      'Viele %N %V die %N %S, und %A %N %V andere %N.',
      'Einige %N %V %N %S.',
    ],
    authors: phrases('Jürgen Wölk | Käthe Brandt | Sören Groß | Änne Müller | Heidrun Voß'),
    topics: words('Reise Forschung Wirtschaft Kultur Wetter Sport Regionales Geschichte'),
  },
  fr: {
    nouns: words(`rivières écoles musées marchés îles forêts lettres cartes horloges bateaux villages prix études
      rapports jardins châteaux fenêtres vallées archives mesures théâtres saisons`),
    adjectives: words('célèbres rares jeunes calmes fragiles modernes rapides immenses solides utiles lointains'),
    verbs: words('relient remplacent surprennent protègent entourent décrivent changent traversent éclairent suivent'),
    settings: phrases(`après un long hiver | malgré la pluie | au bord de la mer | depuis l’été dernier |
      pour la première fois | à la fin du mois | sans faire de bruit | près de la frontière`),
    patterns: [
      'Ces %N %V les %N',
      'Les %N %V les %N %S.',
      'Plusieurs %N %V des %N %S, et les %N %V ces %N.',
      'Peu de %N %V les %N.',
    ],
    authors: phrases('Élodie Garnier | François Lacôte | Zoé Brûlé | Théo Marchand'),
    topics: words('voyage sciences économie culture météo sport région histoire'),
  },
  es: {
    nouns: phrases(`los puertos | las islas | los trenes | las cartas | los mercados | las montañas | los faros |
      las señales | los años | las escuelas | los jardines | las torres | los caminos | las canciones`),
    adjectives: words('grandes verdes fuertes azules jóvenes fáciles importantes'),
    verbs: words('unen cambian rodean protegen cruzan sorprenden acompañan reemplazan alcanzan'),
    settings: phrases(`después del invierno | a pesar de la lluvia | cerca del río | por primera vez en años |
      a finales de mes | sin hacer ruido | desde el verano pasado`),
    patterns: ['%N %V %N', 'Ayer %N %V %N %S.', 'Muchas veces %N %V %N %S, y %N %V %N.', 'Así %N %V %N.'],
    authors: phrases('Íñigo Peña | Lucía Núñez | Begoña Ruíz'),
    topics: words('viajes ciencia economía cultura tiempo deporte historia'),
  },
  ru: {
    nouns: words('мосты города реки книги поезда сады письма карты часы заводы школы музеи поля корабли острова леса'),
    adjectives: words('старые новые большие тихие северные дальние редкие широкие светлые'),
    verbs: words('меняют соединяют окружают защищают удивляют украшают заменяют пересекают'),
    settings: phrases(
      'после долгой зимы | несмотря на дождь | у самой границы | впервые за много лет | в конце месяца',
    ),
    patterns: ['%A %N %V %A %N', '%A %N %V %N %S.', 'Многие %N %V %A %N %S, а %N %V %N.'],
    authors: phrases('Анна Ёлкина | Пётр Щукин | Юлия Жданова'),
    topics: words('наука культура погода спорт история экономика'),
  },
  el: {
    nouns: words('πλοία νησιά βιβλία χωριά λιμάνια σχολεία μουσεία ποτάμια γράμματα τρένα βουνά δέντρα'),
    adjectives: words('μικρά μεγάλα παλιά νέα ήσυχα μακρινά σπάνια φωτεινά'),
    verbs: words('αλλάζουν ενώνουν βλέπουν προστατεύουν ακολουθούν θυμίζουν'),
    settings: phrases('μετά τον χειμώνα | κοντά στη θάλασσα | παρά τη βροχή | για πρώτη φορά'),
    patterns: ['%A %N %V %A %N', 'Τα %A %N %V τα %N %S.', 'Πολλά %N %V %A %N %S.'],
    authors: phrases('Ελένη Ράλλη | Νίκος Βέργης'),
    topics: words('επιστήμη πολιτισμός καιρός ιστορία'),
  },
  ja: {
    nouns: words('橋 港 川 図書館 市場 庭 列車 島 村 塔 時計 手紙 地図 学校 船 森 灯台'),
    adjectives: words('古い 新しい 静かな 小さな 大きな 遠い 明るい 珍しい'),
    verbs: words('変える 守る つなぐ 囲む 見つける 支える 越える'),
    settings: phrases('長い冬のあとで | 雨にもかかわらず | 海の近くで | 初めて | 月末までに'),
    patterns: ['%A%N、%A%Nを%V', '%S%A%Nが%A%Nを%V。', 'そして%Nは%A%Nを%V。', '%S%Nと%Nが%Nを%V。'],
    authors: phrases('青木 千尋 | 森下 健'),
    topics: words('旅行 科学 文化 天気 歴史'),
  },
} as const satisfies Record<string, Vocabulary>

export type Language = keyof typeof VOCABULARIES
