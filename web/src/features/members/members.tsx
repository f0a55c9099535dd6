import { Plus } from "lucide-react";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { type Role, useMembers, useRemoveMember, useUpdateMember } from "@/api/queries/workspace";
import { memberWords } from "@/strings/settings";
import { Button } from "@/ui/button";
import { SmallSelect } from "@/ui/field";
import { Page, Rows } from "@/ui/page";
import { Initials, Moment } from "@/ui/parts";
import { toast } from "@/ui/toasts";
import { Loaded, tellFailure } from "../problem";
import { useSession } from "../session";
import { RoleLossDialog } from "./holdings";
import { Invitations, InviteDialog } from "./invitations";
import { RoleOptions } from "./role-options";

type Member = Schemas["Member"];

const shownName = ({ name, email }: Member): string => name ?? email;

/** The members of the workspace, and its invitations. */
export function Members() {
  const members = useMembers();
  const { may } = useSession();
  const [inviting, setInviting] = useState(false);
  const invite = (
    <Button kind="primary" onClick={() => setInviting(true)}>
      <Plus aria-hidden className="size-4" />
      {memberWords.invite}
    </Button>
  );
  return (
    <Page title={memberWords.title} intro={memberWords.intro} actions={may("admin") && invite}>
      <Loaded query={members}>{({ members }) => <MemberList members={members} />}</Loaded>
      {may("admin") && <Invitations />}
      <InviteDialog open={inviting} onClose={() => setInviting(false)} />
    </Page>
  );
}

function MemberList({ members }: { members: Member[] }) {
  const [asked, setAsked] = useState<Member | null>(null);
  const remove = useRemoveMember();
  const who = asked ? shownName(asked) : "";
  return (
    <>
      <Rows label={memberWords.title}>
        {members.map((member) => (
          <Row key={member.userId} member={member} onRemove={() => setAsked(member)} />
        ))}
      </Rows>
      {asked && (
        <RoleLossDialog
          userId={asked.userId}
          title={memberWords.removeTitle(who)}
          text={memberWords.removeText}
          action={memberWords.remove}
          switchesOff
          onConfirm={() => remove.mutateAsync(asked.userId)}
          done={memberWords.removed(who)}
          failed={(why) => memberWords.notRemoved(who, why)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

function Row({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const { me, may } = useSession();
  const isMe = member.userId === me?.user.id;
  const mayChange = !isMe && may(member.role === "owner" ? "owner" : "admin");
  const name = shownName(member);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <Initials name={name} />
      <div className="min-w-44 flex-1">
        <p className="truncate font-medium">
          {name} {isMe && <span className="font-normal text-soft">({memberWords.you})</span>}
        </p>
        <p className="truncate text-soft">
          {member.name && `${member.email} · `}
          {memberWords.joined} <Moment at={member.joinedAt} />
        </p>
      </div>
      {mayChange ? <RoleSelect member={member} /> : <span className="text-soft">{memberWords.roles[member.role]}</span>}
      {mayChange && (
        <Button size="small" kind="danger" onClick={onRemove} aria-label={`${memberWords.remove} ${name}`}>
          {memberWords.remove}
        </Button>
      )}
    </li>
  );
}

function RoleSelect({ member }: { member: Member }) {
  const { may } = useSession();
  const update = useUpdateMember();
  const [demoting, setDemoting] = useState(false);
  const name = shownName(member);
  const changed = (role: Role) => memberWords.changed(name, memberWords.roles[role]);
  const change = (role: Role, undo?: () => void) =>
    update.mutate({ id: member.userId, role }, { onSuccess: () => toast(changed(role), undo), onError: tellFailure });
  // What a member loses is not restored with the role, so it needs a confirmation and has no undo.
  const choose = (role: Role) =>
    role === "member"
      ? setDemoting(true)
      : change(role, member.role === "member" ? undefined : () => change(member.role));
  return (
    <>
      <SmallSelect
        label={memberWords.roleOf(name)}
        value={member.role}
        disabled={update.isPending}
        onChange={(event) => choose(event.target.value as Role)}
      >
        <RoleOptions withOwner={may("owner")} />
      </SmallSelect>
      {demoting && (
        <RoleLossDialog
          userId={member.userId}
          title={memberWords.demoteTitle(name)}
          text={memberWords.demoteText}
          action={memberWords.demote}
          switchesOff={false}
          onConfirm={() => update.mutateAsync({ id: member.userId, role: "member" })}
          done={changed("member")}
          failed={(why) => memberWords.notChanged(name, why)}
          onClose={() => setDemoting(false)}
        />
      )}
    </>
  );
}
