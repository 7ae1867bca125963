import { join } from 'node:path'
import { Application, Logger, LogLevel } from 'typedoc'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

class Complaints extends Logger {
  readonly texts: string[] = []

  override log(message: string, level: LogLevel): void {
    if (level >= LogLevel.Warn) this.texts.push(message)
  }
}

describe('the types of the library', () => {
  it('are documented, every export and every method of it', async () => {
    const app = await Application.bootstrapWithPlugins({ options: join(ROOT, 'typedoc.json'), readme: 'none' })
    const complaints = new Complaints()
    app.logger = complaints
    const project = await app.convert()
    if (project === undefined) throw new Error(complaints.texts.join('\n'))
    app.validate(project)
    expect(project.children?.map(({ name }) => name)).toEqual(['lab', 'src', 'src/query'])
    expect(complaints.texts).toEqual([])
  })
})
