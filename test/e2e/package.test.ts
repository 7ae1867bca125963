import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'headwater-pack-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('npm pack', () => {
  it('yields a package that runs elsewhere with nothing but its dependencies', () => {
    // --ignore-scripts: what is packed is what `npm test` has just built.
    const packed = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
        cwd: ROOT,
        stdio: ['ignore', 'pipe', 'ignore'],
        encoding: 'utf8',
      }),
    )
    const [{ filename, files }] = Array.isArray(packed) ? packed : Object.values<typeof packed>(packed)
    const paths: string[] = files.map((file: { path: string }) => file.path)
    expect(paths).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'dist/bin/headwater.js']))
    expect(paths.filter((path) => /\.test\.|^(src|test)\//.test(path))).toEqual([])

    execFileSync('tar', ['-xzf', join(folder, filename)], { cwd: folder })
    // Installing from a registry is npm's business; the dependencies of this checkout stand in for it.
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const feed = join(folder, 'feed.xml')
    writeFileSync(feed, '<rss version="2.0"><channel><title>T</title><item><title>One</title></item></channel></rss>')
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [join(folder, 'package/dist/bin/headwater.js'), ...args], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
        encoding: 'utf8',
      })
    expect(run('--version').trim()).toMatch(/^\d+\.\d+\.\d+$/)
    expect(JSON.parse(run('parse', feed, '--json')).items[0].title).toBe('One')
    run('source', 'add', 'https://example.org/feed', '--no-check')
    expect(run('source', 'list')).toContain('example.org')
  })
})
