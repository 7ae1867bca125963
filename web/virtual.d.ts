declare module 'virtual:routes' {
  const routes: Readonly<
    Record<
      import('../src/api/operations/index.ts').OperationId,
      readonly [import('../src/api/operations/operation.ts').Method, string]
    >
  >
  export default routes
}

declare module '*.css'
