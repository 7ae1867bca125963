export interface ExportOptions {
  readonly output?: string
  readonly sources?: string
}

export interface TraceImportOptions {
  readonly json?: boolean
}
