export const enProblems = {
  noAnswer: 'The node does not answer',
  noAnswerHint: 'Is it still running? This page tries again by itself.',
  answered: (p: { readonly status: string }) => `The node answered ${p.status}`,
  tryAgain: 'Try again; the log of the node says more.',
  tryIn: (p: { readonly time: string }) => `try again in ${p.time}`,
  notAllowed: 'The browser does not allow notifications of this site',
  allowThem: 'Allow them in its settings.',
  cannotSubscribe: (p: { readonly why: string }) => `The browser cannot subscribe to notifications: ${p.why}`,
  pushReachable: 'Is its push service reachable?',
}
