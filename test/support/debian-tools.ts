import { spawnSync } from 'node:child_process'

/** Whether these programs are there. They are too large for the tools of every run: installed here where that can be done without asking. */
export function hasTools(programs: readonly string[], packages: readonly string[]): boolean {
  const hasAll = () =>
    programs.every((name) => spawnSync('/bin/sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0)
  if (hasAll() || process.getuid?.() !== 0) return hasAll()
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: readonly string[]) => spawnSync('apt-get', [...args], { env, stdio: 'ignore' })
  // A list of packages that is missing or old names none that can be had.
  if (apt('install', '-y', '--no-install-recommends', ...packages).status === 0) return hasAll()
  apt('update')
  apt('install', '-y', '--no-install-recommends', ...packages)
  return hasAll()
}
