/** Those of nodes that know each other. */
export const NETWORK_ERRORS = {
  NETWORK_NOT_REACHED: {
    summary: 'None of the nodes could be read',
    hint: 'Check the addresses; `headwater network status` says what happened with each, and they are tried again every hour.',
  },
  NETWORK_PROTOCOL: {
    summary: 'The node speaks another version of the protocol',
    hint: 'Bring the older of the two nodes up to date.',
  },
  NETWORK_PROFILE_INVALID: {
    summary: 'What the node says of itself cannot be used',
    hint: 'Check that the address is that of a Headwater node, as https://feeds.example.org, and that its setting network is on.',
  },
  NETWORK_SIGNATURE: {
    summary: 'What the node says of itself is not signed with its key',
    hint: 'Somebody may have changed it on the way. Do not follow it before its operator has looked.',
  },
  NETWORK_PROFILE_ELSEWHERE: {
    summary: 'What is said there is of a node at another address',
    hint: 'Give the address that the node itself names (its setting publicUrl).',
  },
  NETWORK_PROFILE_OLD: {
    summary: 'What the node says of itself is out of date',
    hint: 'Check the clocks of both machines, and whether a proxy keeps an old copy.',
  },
  NETWORK_ITSELF: { summary: 'This is the node itself', hint: 'Give the address of another node.' },
  NETWORK_ID_TAKEN: {
    summary: 'The node goes by the name of another one, or its key has changed without a word',
    hint: 'Ask its operator. If that is right, leave the node (`headwater network leave`) or revoke it (`headwater network revoke`), then join or trust it again.',
    pageHint: 'Ask its operator. If that is right, leave the node, then join it again.',
  },
  NETWORK_NODE_UNKNOWN: {
    summary: 'No such node',
    hint: 'List them with `headwater network status`.',
    pageHint: 'Look for it in the list of nodes.',
  },
  NETWORK_TOO_MANY: {
    summary: 'Too many nodes',
    hint: 'Leave some of them first, with `headwater network leave`.',
    pageHint: 'Leave some of them first.',
  },
  NETWORK_NOT_PROPOSED: {
    summary: 'This is not proposed, or no longer',
    hint: 'See what is proposed with `headwater network status`.',
    pageHint: 'See what is proposed now.',
  },
  // Between nodes that trust each other
  PEER_REFUSED: {
    summary: 'The request is not signed by a node that is trusted here',
    hint: 'Both nodes must trust each other: `headwater network trust` on each of them. Check their clocks, too.',
  },
  PEER_TOO_MANY: { summary: 'Too many requests of one node', hint: 'Wait a minute.' },
} as const
