import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPerson } from '../../src/crawler/parse/person.ts'
import { propertyAt } from '../../src/model/entry-at.ts'
import type { Enclosure, Person } from '../../src/model/index.ts'
import { type Corpus, type CorpusResult, corpusFolder, Examination, filesBelow } from './corpus.ts'
import {
  compareFeed,
  type Expectation,
  isJson,
  type Json,
  list,
  type PartOf,
  readIsoDate,
  text,
  type WantedFeed,
} from './expectation.ts'

const FOLDER = corpusFolder('gofeed')
const PAIRS = 'fields of document/JSON pairs'

/**
 * Pairs `x.xml` + `x.json`. Its `parser/` folders expect the words of the format, `translator/` one common form; the
 * names differ, the meaning does not.
 */
export const gofeed: Corpus = { name: 'gofeed', run }

function run(): CorpusResult {
  const exam = new Examination(FOLDER)
  exam.require(PAIRS, 0.95)
  for (const file of filesBelow(FOLDER, /\.(?:xml|json)$/)) {
    const expected = expectationOf(file)
    if (expected === 'is-one') continue
    const result = exam.read(file)
    if (result === null || expected === null) continue
    compareFeed(exam, PAIRS, file, wantedFeed(expected), result)
    skipRest(expected, exam)
  }
  return exam.result('gofeed')
}

/** The expectation for a document; `is-one` for a file that is itself an expectation. */
function expectationOf(file: string): Json | null | 'is-one' {
  if (file.endsWith('_expected.json')) return 'is-one'
  const beside = file.endsWith('.xml') ? file.replace(/\.xml$/, '.json') : file.replace(/\.json$/, '_expected.json')
  if (file.endsWith('.json') && existsSync(join(FOLDER, file.replace(/\.json$/, '.xml')))) return 'is-one'
  const path = join(FOLDER, beside)
  if (!existsSync(path)) return null
  const json: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return isJson(json) ? json : null
}

function wantedFeed(json: Json): WantedFeed {
  const items = json['items'] ?? json['entries']
  return {
    ...gofeedExpectation(json),
    summary: text(json['description']) ?? text(json['subtitle']),
    ...(Array.isArray(items) ? { items: items.filter(isJson).map((item) => gofeedExpectation(item)) } : {}),
  }
}

function gofeedExpectation(json: Json): Expectation {
  return {
    title: text(json['title']),
    link: linkOf(json),
    id: textOrValue(json['guid']) ?? text(json['id']),
    summary: text(json['summary']) ?? text(json['description']),
    content: text(json['content_html']) ?? textOrValue(json['content']) ?? text(json['content_text']),
    published: readIsoDate(json['publishedParsed'] ?? json['pubDateParsed'] ?? json['date_published']),
    updated: readIsoDate(json['updatedParsed'] ?? json['lastBuildDateParsed'] ?? json['date_modified']),
    authors: authorsOf(json),
    categories: categoriesOf(json),
    enclosures: list(json['enclosures'] ?? json['attachments'])
      .filter(isJson)
      .map(enclosureOf),
  }
}

function linkOf(json: Json): string | undefined {
  const plain = text(json['link']) ?? text(json['home_page_url']) ?? text(json['url'])
  if (plain !== undefined) return plain
  const alternate = list(json['links']).find((link) => isJson(link) && link['rel'] === 'alternate')
  return isJson(alternate) ? text(alternate['href']) : undefined
}

function textOrValue(json: unknown): string | undefined {
  return isJson(json) ? text(json['value']) : text(json)
}

function authorsOf(json: Json): readonly PartOf<Person>[] {
  const people = list(json['authors']).filter(isJson)
  if (people.length > 0) {
    return people.map((p) => ({
      name: text(p['name']),
      email: text(p['email']),
      url: text(p['uri']) ?? text(p['url']),
    }))
  }
  const written = text(json['author']) ?? text(json['managingEditor'])
  const person = written === undefined ? null : readPerson(written)
  return person === null ? [] : [person]
}

function categoriesOf(json: Json): readonly string[] | undefined {
  const found = list(json['categories'] ?? json['tags'])
  if (found.length === 0) return undefined
  const names = found.map((c) => (isJson(c) ? (text(c['term']) ?? text(c['value']) ?? text(c['label'])) : text(c)))
  return names.filter((name) => name !== undefined)
}

function enclosureOf(json: Json): PartOf<Enclosure> {
  const length = json['length'] ?? json['size_in_bytes']
  return {
    url: text(json['url']),
    type: text(json['type']) ?? text(json['mime_type']),
    lengthBytes: length === undefined ? undefined : Number(length),
  }
}

const SKIPPED: Readonly<Record<string, string>> = {
  contributors: 'contributors: the model keeps authors only',
  textInput: 'textInput, cloud, rating, docs: not stored',
  cloud: 'textInput, cloud, rating, docs: not stored',
  rating: 'textInput, cloud, rating, docs: not stored',
  docs: 'textInput, cloud, rating, docs: not stored',
  webMaster: 'webMaster beside managingEditor: not stored',
  source: 'source of an item: not stored',
  custom: 'elements that belong to no vocabulary: not stored',
}

function skipRest(json: Json, exam: Examination): void {
  const parts = [json, ...list(json['items'] ?? json['entries']).filter(isJson)]
  for (const part of parts) for (const key in part) if (Object.hasOwn(SKIPPED, key)) exam.skip(propertyAt(SKIPPED, key))
}
