/** One line of a Dockerfile, as the builder sees it: continued lines joined, comments left out. */
export interface DockerStep {
  readonly kind: string
  readonly rest: string
}

/** What is between one FROM and the next. */
export interface DockerStage {
  readonly name: string | null
  readonly image: string
  readonly steps: readonly DockerStep[]
}

export function readDockerfile(text: string): readonly DockerStage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: { name: string | null; image: string; steps: DockerStep[] }[] = []
  for (const line of lines) {
    const [, kind = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    const [, image = '', name = null] = (kind === 'FROM' && /^(\S+)(?: AS (\S+))?$/.exec(rest)) || []
    if (kind === 'FROM') stages.push({ name, image, steps: [] })
    else stages.at(-1)?.steps.push({ kind, rest })
  }
  return stages
}

/** `ENV a=b c=d` as fields. */
export function readEnv(steps: readonly DockerStep[]): Record<string, string> {
  const pairs = steps.filter(({ kind }) => kind === 'ENV').flatMap(({ rest }) => rest.split(/\s+/))
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
}

/** The last of a kind; the words of a JSON form. */
export function readWords(steps: readonly DockerStep[], kind: string): readonly string[] {
  const rest = steps.findLast((step) => step.kind === kind)?.rest ?? '[]'
  return JSON.parse(rest.slice(rest.indexOf('['))) as string[]
}
