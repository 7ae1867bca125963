import { afterEach, describe, expect, it } from 'vitest'
import { openReaderNode, type ReaderNode } from './reader-node.ts'
import { hasTerminal, openNewsboat, type Terminal } from './terminal.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const WAIT = { timeout: 60_000, interval: 200 }

async function start(configOf: (url: string, password: string) => readonly string[]) {
  const node = await openReaderNode()
  ends.push(() => node.close())
  const password = await node.passwordOf(node.owner.user)
  const terminal = openNewsboat(configOf(await node.listen(), password))
  ends.push(() => terminal.close())
  return { node, terminal }
}

const FEEDHQ = (url: string, password: string) => [
  ...['urls-source "feedhq"', `feedhq-url "${url}"`, 'feedhq-login "owner"', `feedhq-password "${password}"`],
  ...['feedhq-flag-star "s"', 'show-read-feeds yes', 'show-read-articles yes', 'article-sort-order title-asc'],
  ...['feedhq-show-special-feeds no', 'auto-reload no', 'confirm-exit no'],
]

const MINIFLUX = (url: string, password: string) => [
  ...['urls-source "miniflux"', `miniflux-url "${url}"`, 'miniflux-login "owner"', `miniflux-password "${password}"`],
  ...['show-read-feeds yes', 'show-read-articles yes', 'article-sort-order title-asc'],
  ...['auto-reload no', 'confirm-exit no'],
]

/** What the dashboard shows. */
async function mark(node: ReaderNode, seq: number) {
  const { isRead, isStarred } = (await node.ask('GET', `/api/items/${seq}`, { cookie: node.owner.cookie })).body
  return { isRead, isStarred }
}

/** Logs in, lists, reads, marks unread and all; both sides see it. */
async function readThrough(node: ReaderNode, terminal: Terminal): Promise<void> {
  await terminal.shows(/Source 1/)
  terminal.press('R')
  await terminal.shows(/\(2\/2\).*Source 1/)
  terminal.press('Enter')
  await terminal.shows(/Title 0 1/)
  terminal.press('Enter')
  await terminal.shows(/Text of item-0-1/)
  // newsboat tells the server when the article is closed.
  terminal.press('q')
  await terminal.shows(/Title 0 2/)
  await expect.poll(() => mark(node, 1), WAIT).toMatchObject({ isRead: true })
  terminal.press('N')
  await expect.poll(() => mark(node, 1), WAIT).toMatchObject({ isRead: false })
}

async function markAll(node: ReaderNode, terminal: Terminal): Promise<void> {
  terminal.press('A')
  await expect.poll(() => mark(node, 2), WAIT).toMatchObject({ isRead: true })
  expect(await mark(node, 3)).toMatchObject({ isRead: false })
}

/** What is marked in the dashboard is seen after the next reload. */
async function seesDashboard(node: ReaderNode, terminal: Terminal): Promise<void> {
  terminal.press('q')
  await terminal.shows(/Source 2/)
  const body = { seqs: [3], isRead: true }
  await node.ask('POST', '/api/items/mark', { cookie: node.owner.cookie, body })
  terminal.press('R')
  await terminal.shows(/\(1\/2\).*Source 2/)
}

describe.skipIf(!hasTerminal)(
  `newsboat on a terminal${hasTerminal ? '' : ': skipped, newsboat or tmux is missing'}`,
  () => {
    it('reads, marks and stars by the Google Reader API (feedhq)', async () => {
      const { node, terminal } = await start(FEEDHQ)
      await readThrough(node, terminal)
      terminal.press('C-e')
      await terminal.shows(/Flags:/)
      terminal.press('s', 'Enter')
      // Which of the two is under the cursor after a toggle is newsboat's business.
      const isAnyStarred = async () => (await mark(node, 1)).isStarred || (await mark(node, 2)).isStarred
      await expect.poll(isAnyStarred, WAIT).toBe(true)
      await markAll(node, terminal)
      await seesDashboard(node, terminal)
    })

    it('reads and marks by the Miniflux API', async () => {
      const { node, terminal } = await start(MINIFLUX)
      await readThrough(node, terminal)
      await markAll(node, terminal)
      await seesDashboard(node, terminal)
    })
  },
)
