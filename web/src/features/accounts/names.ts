/** Names of accounts. */
import type { Schemas } from "@/api/client";
import { usePlatforms } from "@/api/queries/platforms";
import { postWords } from "@/strings/posts";

/** The display name. */
export const nameOf = (platform: Schemas["Platform"]): string =>
  platform.displayName ?? platform.displayHandle ?? platform.providerName;

/** Looks up the name of an account; empty while the accounts are not known. */
export function useAccountName(disconnected: string = postWords.unknownAccount): (id: string) => string {
  const platforms = usePlatforms().data?.platforms;
  return (id) => {
    const platform = platforms?.find((platform) => platform.id === id);
    return platform ? nameOf(platform) : platforms ? disconnected : "";
  };
}
