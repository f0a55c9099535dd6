/** Connected accounts. */
export const accountWords = {
  title: "Accounts",
  intro: "The accounts that you publish to.",
  connect: "Connect an account",
  creator: "TikTok",
  creatorHint: "For any account. You choose it at TikTok and grant the permissions.",
  business: "TikTok, as a business",
  businessHint: "For business accounts: first comments too.",
  connectTitle: "Connect an account",
  connectText: "You continue at the provider. Leave every permission on: posting needs all of them.",
  connectAction: "Continue to TikTok",
  kind: "Kind of connection",
  emptyTitle: "No account is connected",
  emptyText: "Connect one to publish posts.",
  onlyAdmins: "Owners and admins connect, change and disconnect accounts.",
  ready: "Ready",
  off: "Switched off",
  again: "Connect again",
  reconnect: "Connect again",
  states: {
    ready: "Ready to post.",
    again: "The provider no longer accepts posts. Posts that became due wait, and continue once it is connected again.",
    off: "Switched off: no posts are published to it. Posts that became due wait for you.",
    offAgain: "Switched off, and must be connected again before it can be used.",
  },
  back: "All accounts",
  health: "Health",
  checked: "Checked",
  check: "Check now",
  verdicts: { ok: "All is well", degraded: "Works, with limits", blocked: "Posting is blocked" },
  token: "Access",
  tokens: {
    valid: "valid; renewed automatically",
    failing: "valid, but the last renewal failed; it is retried",
    expired: "expired; it is being renewed",
    reconnect: "expired: connect again",
  },
  permissions: "Permissions",
  granted: "granted",
  notGranted: "not granted",
  limits: "Provider limits",
  direct: "Posts within 24 hours",
  inbox: "Drafts in the app's inbox",
  handOvers: "Submitted within a minute",
  of: (used: string, limit: string | null) => (limit ? `${used} of about ${limit}` : used),
  defaults: "Defaults",
  defaultsIntro: "The settings of this account's posts, unless a post has its own.",
  save: "Save the defaults",
  saved: "Defaults saved.",
  notSet: "Not set",
  on: "On",
  offWord: "Off",
  noSchema: "The account's settings cannot be loaded right now.",
  disable: "Switch off",
  enable: "Switch on",
  switchedOff: (name: string) => `${name} is switched off.`,
  switchedOn: (name: string) => `${name} is switched on.`,
  disconnect: "Disconnect",
  disconnectTitle: (name: string) => `Disconnect ${name}?`,
  disconnectText:
    "Its access is revoked. Posts that are scheduled for it stay, and wait for you when they are due. Connecting the same account again brings everything back.",
  disconnected: (name: string) => `${name} is disconnected.`,
  manage: "Manage",
  connectedAs: "Connection",
  handle: "Handle",
};

/** The results of connecting, by the provider's redirect. */
export const connectNotices = {
  connected: (name: string) => `${name} is connected.`,
  toSlides: "Caption photos",
  toCompose: "Write a post",
  again: (name: string, waited: number) =>
    waited === 0
      ? `${name} is connected again.`
      : waited === 1
        ? `${name} is connected again. The post that waited for it continues.`
        : `${name} is connected again. The ${waited} posts that waited for it continue.`,
  nothing: "Nothing was connected.",
  errors: {
    access_denied:
      "The account was not allowed to be used. If that was not intended, connect it again and grant access.",
    permissions_missing: "Not every permission was left on. Connect the account again and leave them all on.",
    invalid_request: "It took longer than 15 minutes, or was completed already. Connect the account again.",
    invalid_session:
      "It was begun in another session, or in one that has ended. Connect the account again in this one.",
    forbidden: "You may no longer connect accounts to this workspace. Ask one of its owners or admins.",
    connected_otherwise:
      "The account already has another connection. Disconnect it first, then connect it the way you want it.",
    account_limit_reached:
      "The plan allows no more accounts. Disconnect one that is no longer used, or switch to a larger plan.",
    connection_rejected:
      "The provider did not accept the sign-in: it was too old or used before. Connect the account again.",
    provider_unavailable:
      "The provider did not respond, or does not show whether the account is connected already. Connect it again in a minute, and leave every permission on.",
    provider_not_configured: "This service is not set up for that provider. Its operator has to do that first.",
    internal_error:
      "Something failed on the server. Try again; if it fails again, contact the operator of this service.",
  } as Record<string, string>,
  refused: "The provider refused. Try again; if it fails again, contact the operator of this service.",
};
