import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readSourceDocument } from './document.ts'

const read = (body: string | Uint8Array, contentType = 'application/xml') =>
  readSourceDocument(typeof body === 'string' ? Buffer.from(body) : body, {
    contentType,
    url: 'https://a.example/sitemap.xml',
  })

const NEWS = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc>https://a.example/old</loc><lastmod>2026-11-01</lastmod></url>
<url><loc>https://a.example/b?x=1&amp;y=2</loc><lastmod>2026-11-17T12:00:00Z</lastmod>
<news:news><news:publication><news:name>A</news:name><news:language>en</news:language></news:publication>
<news:publication_date>2026-11-16T08:00:00+01:00</news:publication_date><news:title>Fish &amp; chips</news:title><news:keywords>food, sea, food</news:keywords></news:news>
<image:image><image:loc>https://a.example/b.jpg</image:loc><image:title>A picture</image:title></image:image></url>
<url><loc>/undated</loc></url><url><loc>javascript:alert(1)</loc></url><url><priority>1</priority></url></urlset>`

describe('a sitemap', () => {
  it('is read as items, newest first, with what news say', () => {
    const { format, feed, items, problems } = read(NEWS)
    expect({ format, problems }).toEqual({ format: 'sitemap', problems: [] })
    expect(feed).toMatchObject({ title: 'a.example', link: 'https://a.example/' })
    expect(items).toMatchObject([
      {
        title: 'Fish & chips',
        link: 'https://a.example/b?x=1&y=2',
        published: Date.UTC(2026, 10, 16, 7),
        updated: Date.UTC(2026, 10, 17, 12),
        language: 'en',
        categories: ['food', 'sea'],
      },
      { title: null, link: 'https://a.example/old', published: Date.UTC(2026, 10, 1) },
      { link: 'https://a.example/undated', published: null },
    ])
  })

  it('may be a compressed file', () => {
    expect(read(gzipSync(NEWS), 'application/x-gzip').items).toHaveLength(3)
  })

  it('may be broken off or broken', () => {
    expect(read(NEWS.slice(0, -400)).items.length).toBeGreaterThan(0)
    expect(read(gzipSync(NEWS).subarray(0, 50)).format).toBe('unknown')
    expect(read('<urlset>').items).toEqual([])
  })

  it('has as many items as a feed at most', () => {
    const body = `<urlset>${'<url><loc>https://a.example/1</loc></url>'.repeat(20_000)}</urlset>`
    const { items, problems } = read(body)
    expect(items).toHaveLength(10_000)
    expect(problems.map(({ code }) => code)).toEqual(['too-many-items'])
  })

  it('is no feed that only speaks of one', () => {
    const rss = '<rss version="2.0"><channel><title>&lt;urlset&gt;</title><item><title>x</title></item></channel></rss>'
    expect(read(rss).format).toBe('rss-2.0')
  })

  it('of sitemaps names those', () => {
    const index = `<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap>
      <sitemap><loc>https://a.example/2.xml</loc><lastmod>2026-11-17</lastmod></sitemap></sitemapindex>`
    const { format, items } = read(index)
    expect(format).toBe('sitemap-index')
    expect(items.map(({ link }) => link)).toEqual(['https://a.example/2.xml', 'https://a.example/1.xml'])
  })
})
