import type { ErrorParams, ErrorWords } from './error-words.ts'
import { MOVING_ERRORS } from './moving-errors.ts'
import { NETWORK_ERRORS } from './network-errors.ts'
import { PAGE_ERRORS } from './page-errors.ts'
import { type Phrase, phraseText } from './phrase.ts'

/**
 * The one table of error codes. A code never changes its meaning; docs/errors.md explains each (a test compares the
 * two). `hint` says what a person can do next.
 */
export const ERRORS = {
  // Fetching
  FETCH_DNS: { summary: 'The host name could not be resolved', hint: 'Check the spelling of the host, and your DNS.' },
  FETCH_CONNECT: { summary: 'No connection to the host', hint: 'The site may be down; try the address in a browser.' },
  FETCH_TLS: {
    summary: 'The TLS handshake failed',
    hint: 'The certificate may have expired; try the URL in a browser.',
  },
  FETCH_TIMEOUT_CONNECT: { summary: 'Connecting took too long', hint: 'The site may be overloaded; try again later.' },
  FETCH_TIMEOUT_HEADERS: {
    summary: 'No answer within the time limit',
    hint: 'The site may be overloaded; try again later.',
  },
  FETCH_TIMEOUT_BODY: {
    summary: 'The answer stopped for longer than the time limit',
    hint: 'The site may be overloaded; try again later.',
  },
  FETCH_TIMEOUT_TOTAL: {
    summary: 'The whole request took longer than the time limit',
    hint: 'Raise the limit if this site is always that slow.',
  },
  FETCH_TOO_SLOW: {
    summary: 'The answer came too slowly and was cut off',
    hint: 'The site may be overloaded, or holds the connection on purpose; it is tried again later.',
  },
  FETCH_TOO_LARGE: {
    summary: 'The answer exceeds the size limit after decompression',
    hint: 'Raise the size limit if this feed is really that large.',
  },
  FETCH_NO_ROOM: {
    summary: 'The node had no memory left for an answer as large as this',
    hint: 'It is tried again. If it happens often, give the node more memory (NODE_OPTIONS=--max-old-space-size=512) or lower maxBody.',
  },
  FETCH_BAD_ENCODING: {
    summary: 'The compressed answer is broken',
    hint: 'Tell the site; its server compresses wrongly.',
  },
  FETCH_BROKEN: { summary: 'The connection broke while reading the answer', hint: 'Try again later.' },
  FETCH_TOO_MANY_REDIRECTS: { summary: 'Too many redirects', hint: 'Give the final address as the source.' },
  FETCH_REDIRECT_LOOP: {
    summary: 'The redirects run in a circle',
    hint: 'The site is misconfigured; look at the address in a browser.',
  },
  FETCH_BAD_REDIRECT: {
    summary: 'A redirect without a usable address',
    hint: 'The site is misconfigured; look at the address in a browser.',
  },
  FETCH_ADDRESS_REFUSED: {
    summary: 'The address is private, loopback or otherwise not public',
    hint: 'Allow its range with --allow-range if you trust it, for example --allow-range 192.168.1.0/24.',
    pageHint: 'The owner of the node can allow its range in Settings (allowRange), for example 192.168.1.0/24.',
  },
  FETCH_BAD_URL: {
    summary: 'Not a usable http or https address',
    hint: 'Give a full address such as https://example.org/feed.xml.',
  },
  FETCH_BAD_REQUEST: {
    summary: 'A header or setting of the source cannot be sent',
    hint: 'Check the headers and the user agent of the source for line breaks and foreign characters.',
  },
  FETCH_HOST_BUSY: {
    summary: 'The host that a redirect leads to had no turn left',
    hint: 'Many sources share that host; try again in a minute.',
  },
  FETCH_ABORTED: { summary: 'The request was cancelled', hint: 'The node was stopping, or someone cancelled it.' },
  FETCH_PROXY: { summary: 'The proxy refused or could not be reached', hint: 'Check the proxy setting of the source.' },
  HTTP_UNAUTHORIZED: {
    summary: 'The site asks for a log-in (401 or 407)',
    hint: 'Give its log-in with --auth user:password, or a header with --header "Name: value".',
    pageHint: 'Give user and password, or a header, in the settings of the source.',
  },
  HTTP_FORBIDDEN: { summary: 'The site refuses (403)', hint: 'Try another user agent, or ask the site.' },
  HTTP_NOT_FOUND: { summary: 'Not found (404)', hint: 'The feed may have moved; look for it on the site.' },
  HTTP_GONE: {
    summary: 'Gone for good (410)',
    hint: 'Remove the source; it is not fetched again unless you refresh it.',
  },
  HTTP_TOO_MANY_REQUESTS: { summary: 'Too many requests (429)', hint: 'The whole host rests as long as it asked for.' },
  HTTP_UNAVAILABLE: {
    summary: 'Service unavailable (503)',
    hint: 'The site is overloaded or under repair; try again later.',
  },
  HTTP_SERVER_ERROR: { summary: 'The server failed (5xx)', hint: 'The site has trouble; try again later.' },
  HTTP_CLIENT_ERROR: { summary: 'The server refused the request (4xx)', hint: 'Check address, headers and log-in.' },
  HTTP_UNEXPECTED: { summary: 'An answer that makes no sense here', hint: 'Look at the address in a browser.' },
  // Reading
  PARSE_NOT_A_FEED: {
    summary: 'The document is not a feed',
    hint: 'Give the page to `headwater source add`; it looks for feeds.',
    pageHint: 'Give the page to Add; it looks for feeds.',
  },
  PARSE_CHARSET: { summary: 'The document is in a charset that is not read', hint: 'Ask its publisher for UTF-8.' },
  PARSE_EMPTY: { summary: 'The document is empty', hint: 'The site may be broken for now; try again later.' },
  ...PAGE_ERRORS,
  ...MOVING_ERRORS,
  ...NETWORK_ERRORS,
  // Sources and command line
  SOURCE_EXISTS: {
    summary: 'The source is already there',
    hint: 'Use `headwater source set` to change it.',
    pageHint: 'Change it on its page.',
  },
  SOURCE_NOT_FOUND: { summary: 'No such source', hint: 'See `headwater source list`.' },
  SOURCE_NO_FEED_FOUND: {
    summary: 'No feed found at this page',
    hint: 'Give the address of the feed itself, or say where such pages have theirs: `headwater source rule add`.',
    pageHint: 'Give the address of the feed itself.',
  },
  ADDRESS_RULE_INVALID: {
    summary: 'The rule for addresses cannot be used',
    hint: 'Write it as in docs/addresses.md: example.org/people/{name} gives https://example.org/feeds/{name}.xml.',
  },
  ADDRESS_RULE_NOT_FOUND: { summary: 'No such rule for addresses', hint: 'See `headwater source rule list`.' },
  REFRESH_FAILED: {
    summary: 'Not every source could be refreshed',
    hint: 'See `headwater source show` for each of them.',
  },
  OPML_INVALID: {
    summary: 'Not a list of feeds',
    hint: 'Give an OPML file as readers export it, or a text with one address a line.',
  },
  SITE_RULE_INVALID: {
    summary: 'The rule for pages of a site has mistakes',
    hint: 'Nothing was changed. Correct the fields that are named; selectors are CSS, or XPath if they begin with a slash.',
  },
  SITE_RULE_FAILS: {
    summary: 'The rule is not right for these stored pages',
    hint: 'Nothing was changed. Try it with `headwater pages rule try` until each page gives its article.',
  },
  SITE_RULE_NOT_FOUND: { summary: 'No such rule for pages', hint: 'See `headwater pages rule list`.' },
  PAGE_NOT_STORED: {
    summary: 'The page of this item is not stored',
    hint: 'Choose an item whose page was fetched: `headwater pages list` shows them.',
  },
  QUERY_INVALID: { summary: 'The query text has mistakes', hint: 'Nothing was changed. See docs/query-language.md.' },
  QUERY_NOT_FOUND: { summary: 'No such query feed', hint: 'See `headwater query list`.' },
  QUERY_BUSY: { summary: 'The queries are changed by others all the time', hint: 'Try again in a moment.' },
  USAGE: { summary: 'Wrong usage', hint: 'See --help.' },
  SETTINGS_INVALID: {
    summary: 'The settings file cannot be understood',
    hint: 'It holds JSON, as {"budget": "5000/day"}. Correct it at that place, or move it away.',
  },
  DATA_NOT_FOUND: {
    summary: 'There is no node in this place',
    hint: 'Check --data and --store. `headwater serve` and `headwater source add` make a new one.',
  },
  NODE_NOT_REACHED: { summary: 'No node lets this command look', hint: 'Start it, or give --url and HEADWATER_TOKEN.' },
  FILE_UNREADABLE: { summary: 'The file cannot be read', hint: 'Check path and rights.' },
  FILE_UNWRITABLE: { summary: 'The file cannot be written', hint: 'Check that its folder exists and its rights.' },
  FILE_OUTSIDE: {
    summary: 'The file of a subscription must lie in the folder for them',
    hint: 'Give a path below that folder, or choose another folder with --output-dir.',
  },
  LIMIT_REACHED: {
    summary: 'A member may have no more of these',
    hint: 'Remove some of yours, or ask the node owner for a higher limit (memberSources, memberQueries, memberSubscriptions, memberTokens).',
  },
  INTERVAL_TOO_SHORT: {
    summary: 'The interval is shorter than this node allows',
    hint: 'Give a longer one or none, or ask the node owner: with the admin right any may be set.',
  },
  FILE_TAKEN: {
    summary: 'The file is written for another user',
    hint: 'Choose another path; one belongs to the user who took it first.',
  },
  MAIL_NOT_SET_UP: {
    summary: 'No mail server is known',
    hint: 'Give one with --smtp-url smtp://user:password@mail.example.org and the sender with --mail-from.',
  },
  MAIL_FAILED: { summary: 'The mail server did not take the mail', hint: 'It is retried with growing pauses.' },
  MAIL_REFUSED: {
    summary: 'The mail server refused the mail',
    hint: 'Check the address of the receiver and the sender of --mail-from.',
  },
  LETTER_SENDER_REFUSED: {
    summary: 'A letter came from a sender who may not write to this source',
    hint: 'If you want it, allow the sender: `headwater letters allow ID news@example.org`. If not, give the source another address: `headwater letters renew ID`.',
    pageHint: 'If you want it, allow the sender; if not, give the source another address. See docs/letters.md.',
  },
  LETTER_TOO_COMPLEX: {
    summary: 'A letter has more parts than any newsletter',
    hint: 'It was refused unread. Give the source another address if more of them come.',
  },
  LETTER_UNREADABLE: { summary: 'A letter cannot be read', hint: 'It was refused, and its sender was told so.' },
  LETTER_TOO_MANY: {
    summary: 'More letters came for this source than are stored in a day',
    hint: 'Their senders will try again. Raise the allowance if they are wanted: `headwater source set ID --allowance 20000`.',
  },
  SOURCE_NOT_FETCHED: {
    summary: 'This source is not fetched: its items come as letters',
    hint: 'See `headwater letters list`. What belongs to requests (address, headers, log-in, proxy) cannot be set for it.',
  },
  INTERRUPTED: { summary: 'Stopped before it was done', hint: 'Start it again; what was done by then stays done.' },
  LAB_CLAIM_FAILED: {
    summary: 'A claim does not hold',
    hint: 'The figures beside it tell why; in the lab --html draws them.',
  },
  // Storing
  STORE_URL_INVALID: {
    summary: 'This is no address of a store',
    hint: 'Give --store (or HEADWATER_STORE) a folder, as ~/feeds or sqlite:/var/lib/headwater, a database, as postgres://user:password@host/database, or leave it out: then everything is in the data folder.',
  },
  STORE_MOVING: {
    summary: 'A move into this store is not finished',
    hint: 'Run the same `headwater move` again: it goes on where it was. Until then use the store that is moved from.',
  },
  MOVE_TARGET_USED: {
    summary: 'The store to move to holds data already',
    hint: 'Nothing was changed. Give a new folder, or an empty database.',
  },
  MOVE_KEY_OTHER: {
    summary: 'The two stores seal passwords with different keys',
    hint: 'Nothing was changed. Move into a folder without a headwater.key, or give the folder of the right key with --data.',
  },
  MOVE_UNEQUAL: {
    summary: 'What was moved is not the same on both sides',
    hint: 'The store that is moved from was not changed, and the other is not opened. Check its disk, and run the same `headwater move` again: it begins anew.',
  },
  CLUSTER_NONE: {
    summary: 'The data is not shared by several processes',
    hint: 'A cluster is several processes on one PostgreSQL: name it with --store postgres://…; see docs/cluster.md.',
  },
  BACKUP_ELSEWHERE: {
    summary: 'Backups of this store are not made here',
    hint: 'Use the means of the database itself, as pg_dump for PostgreSQL, and keep a copy of headwater.key; see docs/operating.md.',
  },
  STORE_LOCKED: {
    summary: 'Another node is using this data folder',
    hint: 'Stop it first, or give another folder with --data.',
  },
  STORE_TOO_NEW: { summary: 'The data was written by a newer version', hint: 'Use that version or a newer one.' },
  STORE_MEMBERS_OLDER: {
    summary: 'This version changes the database in a way that members at work cannot use',
    hint: 'Nothing was changed. Stop all members (`headwater cluster status` lists them), wait a minute, and start the new version; see docs/cluster.md.',
  },
  STORE_CORRUPT: {
    summary: 'The database is damaged',
    hint: 'Restore a backup with `headwater restore FILE`, or move the file away to start over; see docs/operating.md.',
  },
  STORE_EMPTY: {
    summary: 'The database is empty or gone, although a node has had its archive here',
    hint: 'Nothing was changed. Restore a backup with `headwater restore FILE`, or move the file away to start over; see docs/operating.md.',
  },
  READER_EXPIRED: {
    summary: 'A reader of the item buffer was away for so long that it was not waited for',
    hint: 'It registers again and reads what it missed from the archive; this needs no help.',
  },
  READER_TAKEN: {
    summary: 'A reader of the item buffer belongs to another process',
    hint: 'Stop the other process, or wait until its reader has expired.',
  },
  LEASE_LOST: {
    summary: 'Another process has taken over this part of the work',
    hint: 'Nothing was written; the other process does it. This needs no help.',
  },
  STORE_FAILED: { summary: 'The database refused to write', hint: 'Check free space and rights of the data folder.' },
  STORE_DRIVER_MISSING: {
    summary: 'The package that speaks to PostgreSQL is not installed',
    hint: 'Install it beside Headwater: npm install pg',
  },
  STORE_UNREACHABLE: {
    summary: 'The database server cannot be reached',
    hint: 'Check host and port, whether the server runs, and whether it has connections left (max_connections).',
  },
  STORE_LOGIN_REFUSED: {
    summary: 'The database server refuses this user, password or database',
    hint: 'Check all three, that the database exists, and what pg_hba.conf of the server allows.',
  },
  STORE_TLS: {
    summary: 'The connection to the database server could not be made safe',
    hint: 'Name the certificate of its authority with sslrootcert=FILE in the address; sslmode=verify-ca does not compare the host name, sslmode=disable gives up encryption.',
  },
  STORE_SERVER_UNFIT: {
    summary: 'This database server cannot be used',
    hint: 'It must be PostgreSQL 15 or newer, the database in UTF8, and the server a primary that can be written.',
  },
  STORE_NO_RIGHTS: {
    summary: 'The database user lacks rights',
    hint: 'Make it the owner of the database, or give it all rights on the schema and its tables.',
  },
  STORE_FOREIGN: {
    summary: 'The database belongs to another program',
    hint: 'Nothing was changed. Make a database for Headwater alone.',
  },
  STORE_OTHER_CLUSTER: {
    summary: 'The database belongs to another cluster',
    hint: 'Nothing was changed there. All hosts of an address must be servers of one cluster: a primary and its standbys. Check the address, and start the process again where the database was replaced on purpose.',
  },
  STORE_OTHER_KEY: {
    summary: 'The cluster seals its secrets with another key',
    hint: 'Nothing was changed. Copy headwater.key of a machine of the cluster into the data folder of this one, or name it with --key-file (HEADWATER_KEY_FILE).',
  },
  FETCHING_PAUSED: {
    summary: 'Nothing is fetched now, because it could not be stored',
    hint: 'What was refreshed before is stored. Make room on the disk of the data folder, raise maxData, or keep less (keepFor, keepItems), and try again; a running node goes on by itself.',
  },
  STORE_FULL: {
    summary: 'There is no room left on the disk to store it',
    hint: 'Nothing was changed. Feeds are served meanwhile; make room on the disk of the data folder and try again.',
  },
  STORE_READ_ONLY: {
    summary: 'The data folder cannot be written',
    hint: 'Nothing was changed. Feeds are served meanwhile; see why the disk is read-only, and the rights of the data folder.',
  },
  STORE_GONE: {
    summary: 'The database file is gone',
    hint: 'Put it back, or restore a backup, and start the node again; see docs/operating.md.',
  },
  KEY_UNUSABLE: {
    summary: 'The key file that seals passwords cannot be used',
    hint: 'Check that it holds 32 bytes in base64 and that the node may read it; a key that is there is never replaced.',
  },
  CREDENTIALS_LOCKED: {
    summary: 'The log-in of this source was saved with another key',
    hint: 'Put the headwater.key of the node that saved it in its place and start the node again, or enter the log-in again.',
  },
  // Serving
  FEED_NOT_FOUND: { summary: 'No such feed', hint: 'See the list at /feeds.' },
  FEED_PRIVATE: {
    summary: 'This feed is private, or there is none of this name',
    hint: 'Check the name at /feeds. For a private feed give a token of it: ?token=…, or as a Bearer or as the password of Basic; see `headwater token`.',
  },
  PUSH_UNKNOWN: {
    summary: 'Nobody here has asked for pushes at this address',
    hint: 'Stop sending them: the subscription was ended or replaced.',
  },
  PUSH_UNWANTED: {
    summary: 'Nobody here has asked for this subscription',
    hint: 'Verify only what this node has requested, with its topic, mode and a challenge.',
  },
  PUSH_TOO_MANY: { summary: 'Too many pushes for one feed', hint: 'Send at most 60 a minute for one feed.' },
  HUB_REQUEST_INVALID: { summary: 'The hub cannot read this request', hint: 'See WebSub §5.1; the message says what.' },
  HUB_TOPIC_UNKNOWN: {
    summary: 'No query feed with this address may be opened',
    hint: 'Take the topic from rel=self of the feed; that of a private feed ends with its ?token=….',
  },
  HUB_TOO_MANY: { summary: 'The hub has as many of these as it takes', hint: 'Try again after a while, less often.' },
  ADDRESS_NOT_FOUND: { summary: 'Nothing at this address', hint: 'Start at /.' },
  QUALITY_SCOPE: {
    summary: 'No quality is measured for that',
    hint: 'Ask for node, source:ID, category:PATH or feed:NAME, over hour, day or week.',
  },
  // Users and rights
  LOGIN_NEEDED: { summary: 'Nobody is logged in', hint: 'Log in, or give a token as Authorization: Bearer.' },
  LOGIN_FAILED: { summary: 'Name or password is wrong', hint: 'Check both; the owner can invite you again.' },
  RIGHT_MISSING: { summary: 'This needs a right you do not have', hint: 'Ask the owner of the node.' },
  TOO_MANY_ATTEMPTS: { summary: 'Too many attempts', hint: 'Wait as long as the Retry-After header says.' },
  LOGIN_BUSY: { summary: 'Too many people log in at once', hint: 'Try again in a moment.' },
  ORIGIN_REFUSED: {
    summary: 'The request does not come from a page of this node',
    hint: 'Programs give a token, or send the header X-Headwater: 1.',
  },
  OWNER_EXISTS: { summary: 'The node has its owner already', hint: 'Log in.' },
  OWNER_ELSEWHERE: {
    summary: 'The owner is set on the machine itself',
    hint: 'Open the page there, or start the node with HEADWATER_OWNER_PASSWORD.',
  },
  USER_EXISTS: { summary: 'The name is taken', hint: 'Choose another.' },
  USER_NOT_FOUND: { summary: 'No such user', hint: 'See the list of users.' },
  INVITATION_INVALID: { summary: 'The invitation was used or has ended', hint: 'Ask the owner for another.' },
  SESSION_NOT_FOUND: { summary: 'No such session', hint: 'It may have ended already; see GET /api/sessions.' },
  TOKEN_NOT_FOUND: { summary: 'No such token', hint: 'See the list of your tokens.' },
  // Errors of the API
  ITEM_NOT_FOUND: { summary: 'No such item', hint: 'It may have been removed.' },
  SUBSCRIPTION_NOT_FOUND: { summary: 'No such subscription', hint: 'See the list of subscriptions.' },
  JOB_NOT_FOUND: { summary: 'No such job', hint: 'Jobs are forgotten an hour after their end.' },
  JOB_INTERRUPTED: {
    summary: 'The process that did the job ended before it was done',
    hint: 'Start it again. An import leaves out what was added already.',
  },
  LAB_UNAVAILABLE: {
    summary: 'This node has no lab',
    hint: 'Start it with the command `headwater`, with its data in a folder.',
  },
  LAB_NO_HISTORY: { summary: 'Nothing to try strategies on', hint: 'Let the node run for a day.' },
  SETTING_FIXED: {
    summary: 'This setting cannot be changed here',
    hint: 'Change it where it is given, and start the node again.',
  },
  BACKUP_INVALID: { summary: 'Not a backup of a node', hint: 'Give a file that was saved with Backup.' },
  IMAGE_NOT_FOUND: {
    summary: 'No such picture',
    hint: 'Addresses of pictures are made by the node; open the article again.',
  },
  IMAGE_UNUSABLE: {
    summary: 'Not a picture that is passed on',
    hint: 'PNG, JPEG, GIF, WebP, AVIF, BMP and icons are; open the article at its own site for others.',
  },
  METHOD_NOT_ALLOWED: { summary: 'This address can only be read', hint: 'Use GET or HEAD.' },
  REQUEST_INVALID: {
    summary: 'The request cannot be understood',
    hint: 'Check the address; percent-encode what is special.',
  },
  NODE_BUSY: { summary: 'Too many requests at once', hint: 'Try again in a moment.' },
  ANSWER_TOO_LATE: {
    summary: 'The answer took longer than the time limit',
    hint: 'Ask for less: a rarer word, a category, or a shorter stretch of the archive.',
  },
  INTERNAL: { summary: 'Something went wrong here', hint: 'See the log of the node; please report it.' },
  PORT_IN_USE: { summary: 'The port is taken', hint: 'Choose another with --port.' },
} as const satisfies Record<string, ErrorWords>

export type ErrorCode = keyof typeof ERRORS

export function pageHintOf(code: ErrorCode): string {
  const { hint, pageHint }: ErrorWords = ERRORS[code]
  return pageHint ?? hint
}

/** An expected failure that ends a command or a request; its message says what happened, its hint what to do. */
export class HeadwaterError extends Error {
  readonly code: ErrorCode
  /** What the message says beyond the summary of its code. */
  readonly params: ErrorParams

  /** The detail in parts, to be said in another language. */
  readonly phrase: Phrase | undefined

  constructor(code: ErrorCode, what?: string | Phrase, options?: ErrorOptions) {
    const detail = typeof what === 'object' ? phraseText(what) : what
    super(detail === undefined ? ERRORS[code].summary : `${ERRORS[code].summary}: ${detail}`, options)
    this.name = 'HeadwaterError'
    this.code = code
    this.params = detail === undefined ? {} : { detail }
    this.phrase = typeof what === 'object' ? what : undefined
  }

  get hint(): string {
    return ERRORS[this.code].hint
  }
}
