export const enCharts = {
  nothingKnown: 'Nothing is known here',
  arrowKeys: (p: { readonly summary: string }) => `${p.summary}. Arrow keys read values.`,
  nothingInAnyHour: 'Nothing in any hour.',
  mostOn: (p: { readonly hour: string; readonly value: string; readonly unit: string }) =>
    `Most on ${p.hour}, ${p.value} ${p.unit}.`,
  nothingToDraw: 'Nothing to draw yet.',
}
