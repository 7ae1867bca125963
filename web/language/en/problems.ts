export const enProblems = {
  noAnswer: 'The node does not answer',
  noAnswerHint: 'Is it still running? This page tries again by itself.',
  answered: (p: { readonly status: string }) => `The node answered ${p.status}`,
  tryAgain: 'Try again; the log of the node says more.',
  tryIn: (p: { readonly time: string }) => `try again in ${p.time}`,
}
