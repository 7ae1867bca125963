import { afterEach, describe, expect, it } from 'vitest'
import { findFeed, previewFeeds } from '../../src/app/sources/find-feed.ts'
import { checkOwnRule } from '../../src/sources/meant/index.ts'
import { openSmallWeb, type Page, type SmallWeb } from '../support/small-web.ts'

const feed = (title: string, items = 1) =>
  `<rss version="2.0"><channel><title>${title}</title>${'<item><guid>1</guid></item>'.repeat(items)}</channel></rss>`
const html = (body: string) => `<!doctype html><html>${body}</html>`
const YOUTUBE = 'https://www.youtube.com/feeds/videos.xml'

let web: SmallWeb
afterEach(() => web.close())

async function find(pages: Readonly<Record<string, Page>>, pasted: string, own: readonly [string, string][] = []) {
  web = await openSmallWeb(pages)
  const rules = own.map(([match, give]) => checkOwnRule({ name: 'mine', match, give: [give] }))
  return findFeed(pasted, { url: pasted }, web.fetcher, { rules })
}

describe('the feed that was meant', () => {
  it('is fetched at once where a rule knows it', async () => {
    const url = `${YOUTUBE}?channel_id=UCabc`
    const found = await find({ [url]: feed('Videos') }, 'https://www.youtube.com/channel/UCabc/about')
    expect(found).toEqual({ url, title: 'Videos', rule: 'YouTube channel', others: [] })
    expect(web.visits).toEqual([url])
  })

  it('is what the page of a handle says, which is fetched once', async () => {
    const url = `${YOUTUBE}?channel_id=UCabc`
    const page = html(`<link rel="alternate" type="application/rss+xml" href="${url}">`)
    const found = await find(
      { 'https://www.youtube.com/@some': page, [url]: feed('Videos') },
      'https://www.youtube.com/@some',
    )
    expect(found).toMatchObject({ url, rule: 'YouTube channel' })
    expect(web.visits).toEqual(['https://www.youtube.com/@some', url])
  })

  it('is what the host of an account says, though the profile is elsewhere', async () => {
    const finger = 'https://example.org/.well-known/webfinger?resource=acct%3Aann%40example.org'
    const links = [
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: 'https://social.example.org/@ann' },
    ]
    const pages = { [finger]: JSON.stringify({ links }), 'https://social.example.org/@ann.rss': feed('Ann') }
    const found = await find(pages, '@ann@example.org')
    expect(found).toMatchObject({ url: 'https://social.example.org/@ann.rss', rule: 'Fediverse account' })
    expect(web.visits).toEqual([finger, 'https://social.example.org/@ann.rss'])
  })

  it('is found where a host does not know webfinger', async () => {
    const pages = { 'https://example.org/@ann.rss': feed('Ann') }
    expect(await find(pages, 'ann@example.org')).toMatchObject({ url: 'https://example.org/@ann.rss' })
    expect(web.visits).toHaveLength(2)
  })

  it('is what the directory of podcasts says', async () => {
    const lookup = 'https://itunes.apple.com/lookup?id=7&entity=podcast'
    const pages = {
      [lookup]: '{"results":[{"feedUrl":"https://pod.example/feed"}]}',
      'https://pod.example/feed': feed('Pod'),
    }
    expect(await find(pages, 'https://podcasts.apple.com/us/podcast/pod/id7')).toMatchObject({
      url: 'https://pod.example/feed',
      rule: 'Apple podcast',
    })
    expect(web.visits).toEqual([lookup, 'https://pod.example/feed'])
  })

  it('is the first that shows something, or the first', async () => {
    const base = 'https://github.com/a/b'
    const empty = { [`${base}/releases.atom`]: feed('Releases', 0) }
    expect(await find({ ...empty, [`${base}/commits.atom`]: feed('Commits') }, base)).toMatchObject({
      title: 'Commits',
    })
    await web.close()
    expect(await find(empty, base)).toMatchObject({ title: 'Releases' })
    expect(web.visits).toHaveLength(3)
  })

  it('is looked for on the page where the rule is wrong', async () => {
    const pages = {
      'https://blog.example/@ann': html('<link rel="alternate" type="application/atom+xml" href="/posts">'),
      'https://blog.example/posts': feed('Posts'),
    }
    expect(await find(pages, 'https://blog.example/@ann')).toMatchObject({ title: 'Posts', rule: null })
    expect(web.visits).toEqual([
      'https://blog.example/@ann.rss',
      'https://blog.example/@ann',
      'https://blog.example/posts',
    ])
  })

  it('is that of the site which a short address leads to', async () => {
    const url = 'https://www.reddit.com/r/tea/.rss'
    const pages = {
      'https://short.example/x': { status: 302, headers: { location: 'https://www.reddit.com/r/tea/' } },
      'https://www.reddit.com/r/tea/': html('no feed is named'),
      [url]: feed('Tea'),
    }
    expect(await find(pages, 'https://short.example/x')).toMatchObject({ url, rule: 'subreddit' })
    expect(web.visits).toEqual(['https://short.example/x', url])
  })

  it('is that of the page that the pasted one calls its own', async () => {
    const url = 'https://www.reddit.com/r/tea/.rss'
    const pages = {
      'https://mirror.example/tea': html('<link rel="canonical" href="https://www.reddit.com/r/tea/">'),
      [url]: feed('Tea'),
    }
    expect(await find(pages, 'https://mirror.example/tea')).toMatchObject({ url, rule: 'subreddit' })
    expect(web.visits).toEqual(['https://mirror.example/tea', url])
  })

  it('is named in the header of the answer', async () => {
    const link = '</style.css>; rel=preload, <https://a.example/news>; rel="alternate"; type="application/atom+xml"'
    const pages = {
      'https://a.example/': { headers: { link }, body: html('') },
      'https://a.example/news': feed('News'),
    }
    expect(await find(pages, 'a.example')).toMatchObject({ url: 'https://a.example/news' })
    expect(web.visits).toHaveLength(2)
  })

  it.each([
    ['an anchor that looks like a feed', '<a href="/news.xml">RSS</a>', '/news.xml', 2],
    ['a link without a type', '<link rel="alternate" href="/feed.xml">', '/feed.xml', 2],
    ['a link of an old kind', '<link rel="service.feed" type="application/x.atom+xml" href="/old">', '/old', 2],
  ])('is named by %s', async (_, body, path, requests) => {
    const url = `https://a.example${path}`
    expect(await find({ 'https://a.example/': html(body), [url]: feed('News') }, 'https://a.example/')).toMatchObject({
      url,
    })
    expect(web.visits).toHaveLength(requests)
  })

  it('is on the page that lists the feeds of a site', async () => {
    const pages = {
      'https://a.example/': html('<a href="/rss">RSS</a>'),
      'https://a.example/rss': html('<a href="/rss/world.xml">World</a> <a href="/rss/local.xml">Local</a>'),
      'https://a.example/rss/world.xml': feed('World'),
    }
    expect(await find(pages, 'https://a.example/')).toMatchObject({ url: 'https://a.example/rss/world.xml' })
    expect(web.visits).toHaveLength(3)
  })

  it('is where people say it is', async () => {
    const own: [string, string][] = [['a.example/{page}', 'https://f.example/{page}.xml']]
    const pages = { 'https://f.example/x.xml': feed('X'), 'https://a.example/x': feed('not this') }
    expect(await find(pages, 'a.example/x', own)).toMatchObject({ url: 'https://f.example/x.xml', rule: 'mine' })
  })
})

describe('looking for it', () => {
  it('takes a bounded number of requests, each address once', async () => {
    const anchors = Array.from({ length: 50 }, (_, i) => `<a href="/feed/${i}">Feed</a>`).join('')
    const pages = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`https://a.example/feed/${i}`, html(anchors)]),
    )
    const wanted = find({ ...pages, 'https://a.example/c/x': html(anchors) }, 'https://a.example/c/x')
    await expect(wanted).rejects.toMatchObject({ code: 'SOURCE_NO_FEED_FOUND' })
    expect(new Set(web.visits).size).toBe(web.visits.length)
    expect(web.visits.length).toBeLessThanOrEqual(18)
  })

  it('sends what a source logs in with to the pasted host alone', async () => {
    const lookup = 'https://itunes.apple.com/lookup?id=7&entity=podcast'
    const page = 'https://podcasts.apple.com/us/podcast/pod/id7'
    web = await openSmallWeb({ [lookup]: '{"results":[{"feedUrl":"https://pod.example/feed"}]}', [page]: html('') })
    const secret = { url: page, basicAuth: { user: 'u', password: 'p' }, headers: { 'x-key': 'k' } }
    await expect(findFeed(page, secret, web.fetcher)).rejects.toMatchObject({ code: 'SOURCE_NO_FEED_FOUND' })
    for (const { url, basicAuth, headers } of web.sent) {
      const isHere = new URL(url).hostname === 'podcasts.apple.com'
      expect([url, basicAuth !== null, Object.keys(headers).length]).toEqual([url, isHere, isHere ? 1 : 0])
    }
  })

  it('says what the address was read as where there is nothing', async () => {
    await expect(find({}, 'https://www.youtube.com/channel/UCabc')).rejects.toMatchObject({
      code: 'HTTP_NOT_FOUND',
      message: expect.stringContaining(`read as YouTube channel, whose feed is not at ${YOUTUBE}?channel_id=UCabc`),
    })
  })

  it('shows all that there is of a repository, and why', async () => {
    const base = 'https://github.com/a/b'
    web = await openSmallWeb({ [`${base}/releases.atom`]: feed('Releases'), [`${base}/tags.atom`]: feed('Tags') })
    const found = await previewFeeds(base, { url: base }, web.fetcher)
    expect(found.map(({ title, rule }) => [title, rule])).toEqual([
      ['Releases', 'GitHub repository'],
      ['Tags', 'GitHub repository'],
    ])
    expect(web.visits).toHaveLength(3)
  })
})
