export interface ExportOptions {
  readonly output?: string
  readonly sources?: string
}

export interface ImportOptions {
  readonly json?: boolean
}
