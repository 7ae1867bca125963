import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Corpus, type CorpusResult, corpusFolder, Examination, filesBelow } from './corpus.ts'
import {
  compareFeed,
  type Expectation,
  isJson,
  type Json,
  list,
  readIsoDate,
  text,
  type WantedFeed,
} from './expectation.ts'

const FOLDER = corpusFolder('rss-parser')
const OUTPUTS = 'fields of outputs'

/** Real feeds with what rss-parser reads. Its `content` is description or content:encoded, so neither is compared. */
export const rssParser: Corpus = { name: 'rss-parser', run }

function run(): CorpusResult {
  const exam = new Examination(FOLDER)
  exam.require(OUTPUTS, 0.95)
  for (const file of filesBelow(FOLDER, /\.(?:rss|atom|xml)$/)) {
    const result = exam.read(file)
    const output = join(FOLDER, 'test/output', `${basename(file).replace(/\.\w+$/, '')}.json`)
    if (result === null || !existsSync(output)) continue
    const json: unknown = JSON.parse(readFileSync(output, 'utf8'))
    if (isJson(json) && isJson(json['feed'])) compareFeed(exam, OUTPUTS, file, wantedFeed(json['feed']), result)
  }
  return exam.result('rss-parser')
}

function wantedFeed(json: Json): WantedFeed {
  return {
    title: text(json['title']),
    link: text(json['link']),
    summary: text(json['description']),
    items: list(json['items']).filter(isJson).map(wantedItem),
  }
}

function wantedItem(json: Json): Expectation {
  const categories = list(json['categories']).filter((category) => typeof category === 'string')
  const enclosure = isJson(json['enclosure']) ? text(json['enclosure']['url']) : undefined
  return {
    title: text(json['title']),
    link: text(json['link']),
    id: text(json['guid']) ?? text(json['id']),
    published: readIsoDate(json['isoDate']),
    categories: categories.length === 0 ? undefined : categories.map((category) => category.trim()),
    enclosures: enclosure === undefined ? [] : [{ url: enclosure }],
  }
}
