import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

const FOLDER = corpusFolder('feed-rs')
const SNAPSHOTS = 'fields of snapshots'

/** Real documents with a snapshot of what feed-rs reads (`x.serde.json`). It makes up ids where there are none. */
export const feedRs: Corpus = { name: 'feed-rs', run }

function run(): CorpusResult {
  const exam = new Examination(FOLDER)
  exam.require(SNAPSHOTS, 0.95)
  for (const file of filesBelow(FOLDER, /\.(?:xml|json)$/)) {
    if (file.endsWith('.serde.json')) continue
    const result = exam.read(file)
    const snapshot = join(FOLDER, file.replace(/\.(?:xml|json)$/, '.serde.json'))
    if (result === null || !existsSync(snapshot)) continue
    const json: unknown = JSON.parse(readFileSync(snapshot, 'utf8'))
    if (isJson(json)) compareFeed(exam, SNAPSHOTS, file, wantedFeed(json), result)
  }
  return exam.result('feed-rs')
}

function wantedFeed(json: Json): WantedFeed {
  return {
    ...feedRsExpectation(json),
    summary: contentOf(json['description']),
    items: list(json['entries']).filter(isJson).map(feedRsExpectation),
  }
}

function feedRsExpectation(json: Json): Expectation {
  const categories = list(json['categories']).filter(isJson)
  return {
    title: contentOf(json['title']),
    link: linkOf(json),
    summary: contentOf(json['summary']),
    content: isJson(json['content']) ? text(json['content']['body']) : undefined,
    published: readIsoDate(json['published']),
    authors: list(json['authors'])
      .filter(isJson)
      .map((person) => ({ name: text(person['name']) })),
    categories: categories.length === 0 ? undefined : categories.map((category) => String(category['term'])),
  }
}

function contentOf(json: unknown): string | undefined {
  return isJson(json) ? text(json['content']) : undefined
}

function linkOf(json: Json): string | undefined {
  const first = list(json['links']).find(
    (link) => isJson(link) && (link['rel'] === null || link['rel'] === 'alternate'),
  )
  return isJson(first) ? text(first['href']) : undefined
}
