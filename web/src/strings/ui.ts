/** Words of the components. */
export const ui = {
  close: "Close",
  cancel: "Cancel",
  copy: "Copy",
  copied: "Copied",
  undo: "Undo",
  optional: "optional",
  dismiss: "Dismiss",
  requestId: "Request",
  tryAgain: "Try again",
  notices: "Notices",
  more: "More actions",
  showPassword: "Show password",
  hidePassword: "Hide password",
};
