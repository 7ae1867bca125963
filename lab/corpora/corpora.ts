import { clauseCorpora } from './clauses.ts'
import type { Corpus } from './corpus.ts'
import { dateStrings } from './date-strings.ts'
import { feedRs } from './feed-rs.ts'
import { feedparser } from './feedparser.ts'
import { gofeed } from './gofeed.ts'
import { histories } from './histories.ts'
import { listparser, opmlLists } from './opml.ts'
import { rssParser } from './rss-parser.ts'
import { newsblurCorpus, nodeFeedparser, rome } from './unlabelled.ts'

/** Each corpus is a file of its own that exports a `Corpus`; add it here. */
export const CORPORA: readonly Corpus[] = [
  feedparser,
  gofeed,
  feedRs,
  rssParser,
  rome,
  nodeFeedparser,
  newsblurCorpus,
  ...clauseCorpora,
  dateStrings,
  histories,
  listparser,
  ...opmlLists,
]
