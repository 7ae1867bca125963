import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHeadwater } from '../e2e/cli-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-completion-'))
const SHELLS = ['bash', 'zsh', 'fish'] as const
const isThere = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

beforeAll(async () => {
  for (const shell of SHELLS) {
    const { code, out } = await runHeadwater(folder, ['completion', shell])
    expect(code).toBe(0)
    writeFileSync(join(folder, `complete.${shell}`), out)
  }
  writeFileSync(join(folder, 'list.opml'), '')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What bash offers when Tab is pressed behind these words. */
function offered(line: string): string[] {
  const words = line.split(' ')
  const script = `source ./complete.bash
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_headwater
printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['--norc', '-c', script], { cwd: folder, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .sort()
}

describe('completion', () => {
  it.each([
    ['headwater so', ['source']],
    ['headwater source ref', ['refresh']],
    ['headwater source --data elsewhere ref', ['refresh']],
    ['headwater feed ice --fo', ['--format']],
    ['headwater feed ice --format ', ['rss', 'atom', 'json']],
    ['headwater source rule add --da', ['--data']],
    ['headwater source import li', ['list.opml']],
    ['headwater serve --data ', ['complete.bash', 'complete.fish', 'complete.zsh', 'list.opml']],
    ['headwater bench sched', ['schedule']],
    ['headwater completion ', ['bash', 'zsh', 'fish']],
    ['headwater nonsense --da', []],
  ])('in bash, %s', (line, expected) => expect(offered(line)).toEqual(expected.toSorted()))

  it('is registered for the command', () => {
    const said = execFileSync('bash', ['--norc', '-c', 'source ./complete.bash; complete -p headwater'], {
      cwd: folder,
    })
    expect(String(said)).toContain('_headwater headwater')
  })

  const noZsh = !isThere('zsh')
  it.skipIf(noZsh)(`in zsh, a script that it reads${noZsh ? ' (skipped: there is no zsh)' : ''}`, () => {
    const said = execFileSync(
      'zsh',
      ['-f', '-c', 'autoload -U compinit; compinit -D -u; source ./complete.zsh; print -- $_comps[headwater]'],
      { cwd: folder, encoding: 'utf8' },
    )
    expect(said.trim()).toBe('_headwater')
  })

  const noFish = !isThere('fish')
  it.skipIf(noFish)(`in fish, what it offers${noFish ? ' (skipped: there is no fish)' : ''}`, () => {
    const line = (words: string) =>
      execFileSync('fish', ['--no-config', '-c', `source complete.fish; complete -C '${words}'`], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, HOME: folder },
      })
        .split('\n')
        .filter(Boolean)
        .map((text) => text.split('\t')[0])
    expect(line('headwater source ref')).toEqual(['refresh'])
    expect(line('headwater feed ice --format ')).toEqual(expect.arrayContaining(['rss', 'atom', 'json']))
    expect(line('headwater source rule add --da')).toEqual(['--data'])
  })
})
