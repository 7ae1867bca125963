import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/patience.ts'
import { type FeedItem, type LetterNode, readFeed, send, sendRaw, startLetterNode } from './letter-node.ts'

const FOLDER = join(import.meta.dirname, 'shapes')
const SHAPES = readdirSync(FOLDER).flatMap((name) => (name.endsWith('.eml') ? [name.slice(0, -4)] : []))

let stage: LetterNode
beforeAll(async () => {
  stage = await startLetterNode()
})
afterAll(() => stage.close())

/** As a person would write it down. */
function describeItem({
  id,
  title,
  url,
  authors,
  date_published: date,
  language,
  content_html: content,
}: FeedItem): string {
  const lines = [
    `id: ${id}`,
    `title: ${title}`,
    `author: ${authors?.map(({ name }) => name).join(', ')}`,
    `date: ${date}`,
    ...(url === undefined ? [] : [`link: ${url}`]),
    ...(language === undefined ? [] : [`language: ${language}`]),
  ]
  return `${lines.join('\n')}\n\n${content}\n`
}

async function itemsAfter(sourceId: number, count: number): Promise<readonly FeedItem[]> {
  await eventually(async () => (await readFeed(stage.node, sourceId)).length >= count)
  return readFeed(stage.node, sourceId)
}

describe('a letter that a mail client sends', () => {
  it('comes in more than ten shapes', () => expect(SHAPES.length).toBeGreaterThan(10))

  it.each(SHAPES)('%s is published as a person expects it', async (shape) => {
    const box = await stage.addBox()
    const raw = readFileSync(join(FOLDER, `${shape}.eml`))
    expect(await sendRaw(stage.node.smtpPort, raw, box.address)).toMatchObject({ code: 250 })
    const items = await itemsAfter(box.id, 1)
    const actual = items.map(describeItem).join('\n')
    const expected = join(FOLDER, `${shape}.txt`)
    if (process.env.UPDATE_EXPECTED === '1') writeFileSync(expected, actual)
    expect(actual).toBe(readFileSync(expected, 'utf8'))
    // Delivered twice, it is one item.
    expect(await sendRaw(stage.node.smtpPort, raw, box.address)).toMatchObject({ code: 250 })
    expect(await readFeed(stage.node, box.id)).toHaveLength(1)
  })

  it('is shown with what the client composed: both forms, a picture, a file and how to leave', async () => {
    const box = await stage.addBox()
    const answer = await send(stage.node.smtpPort, {
      from: '"Ünal, Ayşe" <ayse@weekly.example>',
      to: box.address,
      subject: 'Ağustos ☀ – a subject of the client that is so long that it has to be folded and encoded in parts',
      text: 'plain',
      html: '<p>Rich <img src="cid:pic" alt="pic"></p>',
      list: { unsubscribe: { url: 'https://weekly.example/leave', comment: 'leave' } },
      attachments: [
        { cid: 'pic', filename: 'pic.gif', content: Buffer.from('R0lGODlhAQABAAAAACw=', 'base64') },
        { filename: 'süß.csv', content: 'a;b\n' },
      ],
    })
    expect(answer.code).toBe(250)
    const [item] = await itemsAfter(box.id, 1)
    expect(item).toMatchObject({
      title: 'Ağustos ☀ – a subject of the client that is so long that it has to be folded and encoded in parts',
      authors: [{ name: 'Ünal, Ayşe' }],
    })
    expect(item?.content_html).toContain('src="data:image/gif;base64,R0lGODlhAQABAAAAACw="')
    expect(item?.content_html).toContain('Attached, not stored: süß.csv (text/csv, 4 bytes)')
    expect(item?.content_html).toContain('<a href="https://weekly.example/leave">Unsubscribe</a>')
  })
})
