import { type Corpus, corpusFolder, Examination, filesBelow } from './corpus.ts'

const READ = 'documents with a feed in them'

/** A corpus without expectations: read without crash or hang, and how many are feeds. */
function unlabelled(name: string, endings: RegExp): Corpus {
  return {
    name,
    run() {
      const exam = new Examination(corpusFolder(name))
      for (const file of filesBelow(corpusFolder(name), endings)) {
        const result = exam.read(file)
        if (result !== null) exam.count(READ, result.format !== 'unknown', () => `${file}: no feed`)
      }
      return exam.result(name)
    },
  }
}

export const rome = unlabelled('rome', /\.(?:xml|rss|atom|rdf|json)$/)
export const nodeFeedparser = unlabelled('node-feedparser', /\.(?:xml|rss|atom|html)$/)
export const newsblurCorpus = unlabelled('newsblur', /\.(?:xml|html)$/)
