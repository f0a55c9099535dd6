/** Accepting an invitation. */
export const invitationWords = {
  loading: "Your invitation",
  title: (workspace: string) => `Join ${workspace}`,
  by: (who: string) => `${who} invites you.`,
  byNobody: "You are invited.",
  as: "As",
  can: {
    owner: "Owners can do everything, and manage roles.",
    admin: "Admins write and schedule posts, connect accounts, create keys and invite.",
    member: "Members write and schedule posts.",
  },
  for: "For",
  ends: "Valid until",
  join: (workspace: string) => `Join ${workspace}`,
  signUp: "Sign up and join",
  here: "Have an account with this address?",
  other: (theirs: string, mine: string) => `This invitation is for ${theirs}, and you are signed in as ${mine}.`,
  otherAction: "Use the invited account",
  badTitle: "This invitation does not work",
  badText: "It was used, revoked, or is older than a week. Ask the person who invited you for another.",
};
