import { HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import type { DEMO_STORIES } from './demo-stories.ts'
import type { WorldFormat } from './feed-plan.ts'
import type { PublicationSpec } from './publication.ts'

/** Feeds of one kind: they share what they write about, and when. In headlines `{a|b}` is a choice, `{n}` a number. */
export interface NewsDesk {
  readonly category: string | null
  readonly format: WorldFormat
  readonly names: readonly string[]
  readonly publication: PublicationSpec
  readonly headlines: readonly string[]
  readonly stories: keyof typeof DEMO_STORIES
  readonly longestStory?: number
  readonly enclosures?: boolean
  /** Share of items with a picture; absent: none has. */
  readonly pictureShare?: number
}

const TOWNS = 'Norrick|Hale Sound|Tarn Isle|Low Medding|Ostermouth|Carrow|Silverstrand|Upper Wick'

/** Every name, place and story here is invented. */
export const DEMO_DESKS: readonly NewsDesk[] = [
  {
    category: 'News/World',
    format: 'rss-2.0',
    names: ['The Meridian Post', 'Northern Courier', 'Harbour Times', 'The Wick Observer'],
    pictureShare: 0.7,
    publication: { kind: 'waves', ratePerDay: 14, peakHour: 11, depth: 0.8, weekendShare: 0.6 },
    stories: 'world',
    longestStory: 12,
    headlines: [
      `Council of {${TOWNS}} votes on {the new bridge|ferry fares|a night bus|the old mill}`,
      `{Farmers|Teachers|Dockers|Nurses} in {${TOWNS}} reach an agreement after {n} days`,
      `What the {harbour|rail|school|water} report of {${TOWNS}} leaves out`,
      `{Flood|Fire|Storm} in {${TOWNS}}: what is known so far`,
    ],
  },
  {
    category: 'News/World',
    format: 'atom-1.0',
    names: ['Wire Service One', 'Continental Wire'],
    publication: { kind: 'poisson', ratePerDay: 30 },
    stories: 'wire',
    longestStory: 3,
    headlines: [
      `URGENT: {Ferry|Train|Flight} {n} to {${TOWNS}} {delayed|diverted|cancelled}`,
      `{Copper|Wheat|Timber|Wool} price {up|down} {n} points at the close`,
      `Talks on {fishing rights|the border railway|grain stores} {resume|stall|end} in {${TOWNS}}`,
    ],
  },
  {
    category: 'News/Local',
    format: 'rss-2.0',
    names: ['Low Medding Echo', 'Carrow Weekly', 'Tarn Isle Bulletin', 'Ostermouth Notes'],
    pictureShare: 0.4,
    publication: { kind: 'waves', ratePerDay: 5, peakHour: 9, depth: 1, weekendShare: 0.3 },
    stories: 'local',
    longestStory: 7,
    headlines: [
      'Lost {cat|dog|parrot|accordion} found after {n} days',
      '{Bakery|Library|Swimming bath|Cinema} to open on {Monday|Saturday} again',
      'Letters: {the clock tower|too many geese|the smell from the cannery}',
      'Village fair raises {n} hundred for the {roof|band|lifeboat}',
    ],
  },
  {
    category: 'Science',
    format: 'atom-1.0',
    names: ['Tidal Pool: a science blog', 'Small Numbers', 'The Patient Telescope', 'Field Notes on Moss'],
    pictureShare: 0.8,
    publication: { kind: 'waves', ratePerDay: 2.5, peakHour: 15, depth: 0.7, weekendShare: 0.8 },
    stories: 'science',
    headlines: [
      'Why {lichens|eels|comets|snowflakes} {grow|turn|wait|sing} in {n} directions',
      'A {quiet|strange|second} signal from {the deep lake|catalogue star|the salt flats} {n}',
      'We repeated the {pendulum|pigeon|candle} experiment {n} times',
      'How to measure {a mountain|a cloud|boredom} with {string|a mirror|patience}',
    ],
  },
  {
    category: 'Science/Journals',
    format: 'rss-1.0',
    names: ['Annals of Slow Physics', 'Journal of Coastal Botany', 'Proceedings in Applied Knots'],
    publication: { kind: 'peaks', ratePerDay: 12, hours: [6] },
    stories: 'journals',
    longestStory: 4,
    headlines: [
      'On the {stability|spectrum|growth} of {kelp|braided rope|wet sand} under {load|moonlight|shear} ({n})',
      'A {note|correction|reply} on the {tidal|seasonal|critical} {exponent|rate|bound} {n}',
      '{Evidence|Limits|Conditions} for {folding|drifting|sparse} {membranes|colonies|lattices}',
    ],
  },
  {
    category: 'Technology/Releases',
    format: 'atom-1.0',
    names: ['lanternfish releases', 'quillpad changes', 'saltbox tags', 'ropewalk releases', 'millrace tags'],
    publication: {
      kind: 'mixture',
      parts: [
        { kind: 'waves', ratePerDay: 1, peakHour: 14 },
        { kind: 'bursts', burstsPerDay: 0.6, itemsPerBurst: 5, burstMs: HOUR_MS },
      ],
    },
    stories: 'releases',
    longestStory: 6,
    headlines: [
      'v{1|2|3}.{n}.0',
      'v{1|2|3}.{n}.1: fixes {a leak|a race|two crashes|the Windows build}',
      'v{2|3|4}.0.0-rc{1|2|3}: please test',
    ],
  },
  {
    category: 'Technology',
    format: 'json-1.1',
    names: ['Cold Boot', 'The Null Terminal', 'Notes from a Small Server', 'Bitter Lemmas'],
    pictureShare: 0.3,
    publication: { kind: 'waves', ratePerDay: 3, peakHour: 20, depth: 0.9 },
    stories: 'technology',
    headlines: [
      'I replaced my {editor|router|build system|keyboard} with {n} lines of {shell|awk|patience}',
      'The case {for|against} {boring databases|long functions|one more queue}',
      'Postmortem: how {a full disk|a leap second|one comma} cost us {n} hours',
      'TIL: {tar|find|sort|dates} can do {n} things at once',
    ],
  },
  {
    category: 'Technology/Commits',
    format: 'atom-1.0',
    names: ['Commits to saltbox:main', 'Commits to millrace:main'],
    publication: {
      kind: 'mixture',
      parts: [
        { kind: 'waves', ratePerDay: 6, peakHour: 16, weekendShare: 0.2 },
        { kind: 'bursts', burstsPerDay: 2, itemsPerBurst: 5, burstMs: 30 * MINUTE_MS },
      ],
    },
    stories: 'commits',
    longestStory: 2,
    headlines: [
      '{Fix|Simplify|Test|Document} the {parser|cache|retry loop|scheduler}',
      'Merge branch "{topic|fix|wip}-{n}"',
      'Bump {lint|test|build} tools',
    ],
  },
  {
    category: 'Podcasts',
    format: 'rss-2.0',
    names: ['Lighthouse Keepers', 'The Long Platform', 'Two Cups of Tea', 'Night Ferry Stories'],
    pictureShare: 1,
    publication: { kind: 'constant', intervalMs: 8 * HOUR_MS, jitter: 0.1 },
    enclosures: true,
    stories: 'podcasts',
    longestStory: 5,
    headlines: [
      'Episode {n}: the {keeper|pilot|cartographer|beekeeper} who stayed',
      'Episode {n}: a conversation about {fog|bread|silence|maps}',
      'Bonus: your questions, part {n}',
    ],
  },
  {
    category: 'Services/Weather',
    format: 'rss-2.0',
    names: ['Weather for Norrick', 'Weather for Tarn Isle', 'Weather for Silverstrand'],
    publication: { kind: 'constant', intervalMs: HOUR_MS },
    stories: 'weather',
    longestStory: 2,
    headlines: [
      '{Dry|Showers|Fog|Clear}, wind {north|south|east|west} {n} km/h',
      '{Cloudy|Sunny|Rain at times}, visibility {n} km',
    ],
  },
  {
    category: 'Services/Traffic',
    format: 'rss-2.0',
    names: ['Traffic alerts: coast road', 'Traffic alerts: city ring', 'Rail disruptions'],
    publication: {
      kind: 'mixture',
      parts: [
        { kind: 'peaks', ratePerDay: 12, hours: [7, 17], leak: 0.1 },
        { kind: 'bursts', burstsPerDay: 1, itemsPerBurst: 6, burstMs: 30 * MINUTE_MS },
      ],
    },
    stories: 'traffic',
    longestStory: 2,
    headlines: [
      '{Queue|Roadworks|Accident} at junction {n}: allow {10|20|40} minutes',
      'Line {n} {runs again|is interrupted|is late} near {Carrow|Upper Wick|the viaduct}',
      'Cleared: {obstacle|breakdown|water} at junction {n}',
    ],
  },
  {
    category: 'Services/Status',
    format: 'atom-1.0',
    names: ['Status of saltbox.cloud', 'Status of the tide gauges'],
    publication: { kind: 'bursts', burstsPerDay: 1.2, itemsPerBurst: 4, burstMs: 2 * HOUR_MS },
    stories: 'status',
    longestStory: 3,
    headlines: [
      'Investigating {errors|delays|a power cut} in region {n}',
      'Identified: {a bad deploy|a cable|a full queue}',
      'Resolved: region {n} is back',
    ],
  },
  {
    category: 'Culture',
    format: 'rss-2.0',
    names: ['The Paper Lantern Review', 'Reel and Shutter', 'Marginalia', 'Chalk & Cheese'],
    pictureShare: 0.9,
    publication: { kind: 'waves', ratePerDay: 2, peakHour: 18, depth: 0.8 },
    stories: 'culture',
    headlines: [
      'Review: "{The Ninth Tide|A House of Salt|Letters to a Clock|Quiet Engines}"',
      'The {painter|composer|translator} who burned {n} works',
      'On {rereading|not finishing|lending} {long novels|old maps|cookbooks}',
    ],
  },
  {
    category: 'Culture/Recipes',
    format: 'rss-2.0',
    names: ['Kitchen at the End of the Pier', 'Bread, Mostly'],
    pictureShare: 1,
    publication: { kind: 'waves', ratePerDay: 1.5, peakHour: 16, depth: 1 },
    stories: 'recipes',
    headlines: [
      '{Barley|Rye|Leek|Plum} {soup|bread|tart|dumplings} for {n}',
      'What to do with {n} kilos of {quince|cabbage|mussels|walnuts}',
    ],
  },
  {
    category: 'Sport',
    format: 'rss-2.0',
    names: ['Regatta Results', 'The Second Half', 'Uphill: cycling news'],
    pictureShare: 0.5,
    publication: { kind: 'peaks', ratePerDay: 10, hours: [16, 21], leak: 0.15 },
    stories: 'sport',
    longestStory: 5,
    headlines: [
      '{Norrick|Carrow|Ostermouth|Hale Sound} {beat|draw with|lose to} {Silverstrand|Upper Wick|Low Medding} after {n} minutes',
      'Stage {n}: {breakaway|crosswind|photo finish} decides the day',
      'Lane {n} wins the {eights|sculls|junior fours}',
    ],
  },
  {
    category: null,
    format: 'rss-0.91',
    names: ['A Gardener’s Almanac', 'Clocks I Have Repaired'],
    publication: { kind: 'poisson', ratePerDay: 0.8 },
    stories: 'garden',
    longestStory: 4,
    headlines: [
      'No. {n}: {roses|a pocket watch|frost|the tall case clock}',
      'Still waiting for {spring|a spring|rain}',
    ],
  },
]
