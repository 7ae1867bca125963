// Writes docs/errors.md from the tables in the code: `npm run build && node scripts/write-errors-page.mjs`.
import { writeFileSync } from 'node:fs'
import { PARSE_PROBLEMS } from '../dist/src/crawler/parse/problems.js'
import { ERRORS } from '../dist/src/runtime/errors.js'

const rows = Object.entries(ERRORS).map(([code, { summary, hint }]) => `| \`${code}\` | ${summary} | ${hint} |`)
const problems = Object.entries(PARSE_PROBLEMS).map(([code, text]) => `| \`${code}\` | ${text} |`)
writeFileSync(
  new URL('../docs/errors.md', import.meta.url),
  `# Errors

Every failure has a code that never changes its meaning. A source shows its last one in \`headwater source show\`, the
command line prints it behind the message, and HTTP answers carry it as problem details (RFC 9457).

## Error codes

| code | what happened | what to do |
|---|---|---|
${rows.join('\n')}

## Problems of documents

A document that can be read at all is read; what was wrong with it is listed under \`problems\` of \`headwater parse\`.

| code | what was wrong, and what was done |
|---|---|
${problems.join('\n')}

## Problems of lists

| code | what was wrong with an OPML or RDF list |
|---|---|
| \`not-a-list\` | The document is neither OPML nor RDF. |
| \`no-feed-address\` | An entry names a page but no feed; it was skipped. |
| \`included-list\` | An entry names another list; it was not followed. |
| \`too-deep\` | Folders are nested deeper than the limit; the inner ones were not read. |
`,
)
