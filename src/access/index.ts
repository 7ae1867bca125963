export * from './decide.ts'
export * from './output-path.ts'
export * from './table.ts'
export * from './view.ts'
