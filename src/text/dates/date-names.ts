import { tableOf } from '../../model/table.ts'

/**
 * Month names of the languages that feeds are written in, January to December, lower case without accents. Genitives
 * stand where a language writes its dates with them. Every prefix of three letters or more counts as an abbreviation;
 * where two languages claim one for different months, the language further up keeps it.
 */
const MONTHS_BY_LANGUAGE: readonly string[] = [
  'january february march april may june july august september october november december',
  'januar februar marz april mai juni juli august september oktober november dezember',
  'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
  'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь',
  'januari februari mars april maj juni juli augusti september oktober november december',
  'januar februar marts april maj juni juli august september oktober november desember',
  'januar februar marcius aprilis majus junius julius augusztus szeptember oktober november december',
  'ιανουαριου φεβρουαριου μαρτιου απριλιου μαιου ιουνιου ιουλιου αυγουστου σεπτεμβριου οκτωβριου νοεμβριου δεκεμβριου',
  'stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia',
  'ledna unora brezna dubna kvetna cervna cervence srpna zari rijna listopadu prosince',
  'січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня',
  'ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie',
  'ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik',
  'tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesakuuta heinakuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta',
]

// Abbreviations that are no prefix of the name, and the slips of a Greek and a Hungarian blog host of old.
const OTHER_SPELLINGS = tableOf<number>({ mrt: 3, juil: 7, μαω: 3, μαυ: 5, maujus: 5, februari: 2 })

const MONTHS: ReadonlyMap<string, number> = collectMonths()

function collectMonths(): Map<string, number> {
  const months = new Map<string, number>(Object.entries(OTHER_SPELLINGS))
  for (const language of MONTHS_BY_LANGUAGE) {
    language.split(' ').forEach((name, index) => {
      for (let length = 3; length <= name.length; length++) {
        const prefix = name.slice(0, length)
        if (!months.has(prefix)) months.set(prefix, index + 1)
      }
    })
  }
  return months
}

// Days of the week that begin like a month.
const NOT_MONTHS = new Set(['mardi', 'martes', 'martedi', 'marti', 'maandag', 'mandag', 'mandagen', 'maanantai'])

/** 1 to 12; null for a word that names no month. `word` is folded (see `foldDateText`). Bad spelling is forgiven. */
export function monthByName(word: string): number | null {
  if (word.length < 3 || NOT_MONTHS.has(word)) return null
  return MONTHS.get(word) ?? MONTHS.get(word.slice(0, 3)) ?? null
}

/** Lower case, without accents, with the Turkish dotless i as i. */
export function foldDateText(text: string): string {
  const lower = text.toLowerCase()
  if (/^[\x00-\x7f]*$/.test(lower)) return lower
  return lower.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i')
}

const H = 60

/** Minutes east of Greenwich. RFC 5322 §4.3 fixes the American ones; the rest is common use. */
const ZONE_MINUTES = tableOf<number>({
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  ndt: -2.5 * H,
  nst: -3.5 * H,
  adt: -3 * H,
  ast: -4 * H,
  at: -4 * H,
  edt: -4 * H,
  est: -5 * H,
  et: -5 * H,
  cdt: -5 * H,
  cst: -6 * H,
  ct: -6 * H,
  mdt: -6 * H,
  mst: -7 * H,
  mt: -7 * H,
  pdt: -7 * H,
  pst: -8 * H,
  pt: -8 * H,
  akdt: -8 * H,
  akst: -9 * H,
  hst: -10 * H,
  brst: -2 * H,
  brt: -3 * H,
  art: -3 * H,
  bst: H,
  ist: 5.5 * H,
  west: H,
  cet: H,
  met: H,
  mez: H,
  mesz: 2 * H,
  mest: 2 * H,
  cest: 2 * H,
  eet: 2 * H,
  sast: 2 * H,
  eest: 3 * H,
  msk: 3 * H,
  msd: 4 * H,
  trt: 3 * H,
  irst: 3.5 * H,
  pkt: 5 * H,
  npt: 5.75 * H,
  ict: 7 * H,
  wib: 7 * H,
  awst: 8 * H,
  hkt: 8 * H,
  sgt: 8 * H,
  jst: 9 * H,
  kst: 9 * H,
  acst: 9.5 * H,
  aest: 10 * H,
  acdt: 10.5 * H,
  aedt: 11 * H,
  nzst: 12 * H,
  nzdt: 13 * H,
  sst: -11 * H,
  hdt: -9 * H,
  hadt: -9 * H,
  hast: -10 * H,
  cot: -5 * H,
  pet: -5 * H,
  vet: -4 * H,
  bot: -4 * H,
  clt: -4 * H,
  clst: -3 * H,
  pyt: -4 * H,
  pyst: -3 * H,
  uyt: -3 * H,
  gft: -3 * H,
  wat: H,
  cedt: 2 * H,
  cat: 2 * H,
  idt: 3 * H,
  eat: 3 * H,
  eedt: 3 * H,
  gst: 4 * H,
  azt: 4 * H,
  irdt: 4.5 * H,
  aft: 4.5 * H,
  uzt: 5 * H,
  yekt: 5 * H,
  almt: 6 * H,
  bdt: 6 * H,
  omst: 6 * H,
  mmt: 6.5 * H,
  krat: 7 * H,
  novt: 7 * H,
  myt: 8 * H,
  pht: 8 * H,
  wita: 8 * H,
  irkt: 8 * H,
  awdt: 9 * H,
  wit: 9 * H,
  yakt: 9 * H,
  chst: 10 * H,
  vlat: 10 * H,
  magt: 11 * H,
  fjt: 12 * H,
  pett: 12 * H,
})

/** Minutes east; null for a word that is no zone we know. Military letters other than Z say nothing (RFC 5322 §4.3). */
export function zoneByName(word: string): number | null {
  return ZONE_MINUTES[word] ?? null
}
