export const enAudit = {
  auditLog: 'Audit log',
  whoDidWhat: 'Who did what on this node',
  whatYouDid: 'What you did, and who failed to log in as you',
  lead: (p: { readonly who: string }) => `${p.who}: log-ins, rights, tokens, settings and removals, newest first.`,
  theLog: 'the log',
  nothingYet: 'Nothing yet',
  nothingHint: 'Log-ins, changed rights and settings, and what is removed are written down here.',
  entries: 'Entries',
  nobodyKnown: 'nobody who is known',
  newer: 'Newer',
  older: 'Older',
}
