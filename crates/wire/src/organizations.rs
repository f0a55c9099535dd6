//! Workspaces on the wire, where they are called organizations, with members and invitations (`docs/contract.md#dashboard-api`).

use playout_domain::error::{Issue, IssueCode};
use playout_domain::id::{InvitationId, UserId, WebhookId, WorkspaceId};
use playout_domain::lateness::LatenessPolicy;
use playout_domain::people::{Email, Invitation, Member};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_domain::workspace::{Role, Workspace};
use playout_domain::zone::Zone;
use serde::Serialize;
use serde_json::{Number, Value};
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::address::email;
use crate::keys::KeyBody;
use crate::read::{
    FieldType, ObjectReader, number, object, read_body, schema_of, secret, text, visible_name, word,
};
use crate::schema::word_of;
use crate::second_factor::{read_optional_code, read_password};

/// The longest name of a person or a workspace.
pub const MAX_NAME_CHARS: usize = 100;
/// More than the length of any time zone's name.
const MAX_ZONE_CHARS: usize = 64;
/// The longest token that is accepted.
const MAX_TOKEN_CHARS: usize = 200;
const ROLES: [(&str, Role); 3] = [
    ("owner", Role::Owner),
    ("admin", Role::Admin),
    ("member", Role::Member),
];

/// A workspace as one of its members sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Organization)]
pub struct OrganizationBody {
    /// Its ID, also the value of `x-organization-id`.
    #[schema(value_type = Uuid)]
    id: WorkspaceId,
    /// Its name.
    name: String,
    /// The caller's role in it.
    #[schema(schema_with = roles)]
    role: &'static str,
    /// The name of its plan.
    plan: String,
    /// The zone in which its members read and write times: a name of the tz database, `UTC` unless they chose another.
    #[schema(example = "Europe/Berlin")]
    time_zone: String,
    /// The rule for posts that are found overdue, because the service was down or the account unavailable; null: they are always
    /// published, however late it is.
    #[schema(required)]
    lateness_policy: Option<LatenessPolicyBody>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

/// The rule for overdue posts: when they wait for a person instead of being published.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LatenessPolicy)]
pub struct LatenessPolicyBody {
    /// A post that is found due longer ago than this, in hours, becomes ACTION_REQUIRED instead of being published.
    #[schema(value_type = f64, minimum = 1, maximum = 8760, example = 24)]
    ask_after_hours: Number,
}

impl LatenessPolicyBody {
    fn of(policy: LatenessPolicy) -> Option<Self> {
        let ask_after_hours = shortest_number(policy.hours()?)?;
        Some(Self { ask_after_hours })
    }
}

/// Whole numbers without a fraction: 24, not 24.0.
fn shortest_number(number: f64) -> Option<Number> {
    match number.fract() == 0.0 {
        true => Some(Number::from(number as u64)),
        false => Number::from_f64(number),
    }
}

fn roles() -> Object {
    word_of(&Role::ALL.map(Role::as_str))
}

impl OrganizationBody {
    /// The workspace for a member with this role.
    pub fn new(workspace: Workspace, role: Role) -> Self {
        Self {
            id: workspace.id,
            name: workspace.name,
            role: role.as_str(),
            plan: workspace.plan,
            time_zone: workspace.time_zone.as_str().to_owned(),
            lateness_policy: LatenessPolicyBody::of(workspace.lateness_policy),
            created_at: workspace.created_at,
        }
    }
}

/// `{ organizations: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct OrganizationList {
    /// In the order of joining.
    pub organizations: Vec<OrganizationBody>,
}

/// A member of a workspace.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Member)]
pub struct MemberBody {
    /// The user's ID.
    #[schema(value_type = Uuid)]
    user_id: UserId,
    /// Their address.
    email: String,
    /// Their name.
    #[schema(required)]
    name: Option<String>,
    /// Their role.
    #[schema(schema_with = roles)]
    role: &'static str,
    /// When they joined.
    #[schema(value_type = String, format = DateTime)]
    joined_at: Time,
}

impl From<Member> for MemberBody {
    fn from(member: Member) -> Self {
        Self {
            user_id: member.user_id,
            email: member.email,
            name: member.name,
            role: member.role.as_str(),
            joined_at: member.joined_at,
        }
    }
}

/// `{ members: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct MemberList {
    /// In the order of joining.
    pub members: Vec<MemberBody>,
}

/// An invitation that can be accepted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Invitation)]
pub struct InvitationBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    id: InvitationId,
    /// The invited address.
    email: String,
    /// The role after accepting it.
    #[schema(schema_with = roles)]
    role: &'static str,
    /// Who sent it, if they are still a member.
    #[schema(value_type = Option<Uuid>, required)]
    invited_by: Option<UserId>,
    /// When it was sent.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// Until when it can be accepted.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
}

impl From<Invitation> for InvitationBody {
    fn from(invitation: Invitation) -> Self {
        Self {
            id: invitation.id,
            email: invitation.email,
            role: invitation.role.as_str(),
            invited_by: invitation.invited_by,
            created_at: invitation.created_at,
            expires_at: invitation.expires_at,
        }
    }
}

/// `{ invitations: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct InvitationList {
    /// Newest first.
    pub invitations: Vec<InvitationBody>,
}

/// A new invitation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewInvitation)]
pub struct NewInvitationBody {
    /// The invitation.
    #[serde(flatten)]
    pub invitation: InvitationBody,
    /// The token that accepts it. Returned only here.
    pub token: String,
    /// The page that accepts it, to which the mail links. Returned only here.
    #[schema(format = Uri)]
    pub url: String,
    /// Whether it is mailed to them. If the service has no mail server, send them the link another way.
    pub mailed: bool,
}

/// An invitation as shown to the holders of its link.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvitationTo)]
pub struct InvitationToBody {
    /// The name of the workspace.
    pub organization_name: String,
    /// The invited address.
    pub email: String,
    /// The role after accepting it.
    #[schema(schema_with = roles)]
    pub role: &'static str,
    /// The name of the sender, or their address; null if they are no longer there.
    #[schema(required)]
    pub invited_by: Option<String>,
    /// Until when it can be accepted.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Time,
}

/// A request that names a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameOrganization {
    /// 1–100 characters, without white space around them.
    pub name: String,
}

impl NameOrganization {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("A workspace's name.");
        let name = reader.required("name", visible_name(MAX_NAME_CHARS), "Its name.");
        Some(Self { name: name? })
    }
}

/// A request to change a workspace; absent fields stay unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateOrganization {
    /// Its name, as in [`NameOrganization`].
    pub name: Option<String>,
    /// Its time zone.
    pub time_zone: Option<Zone>,
    /// The rule for overdue posts. Here `null` differs from absent: it means [`LatenessPolicy::AlwaysPublish`].
    pub lateness_policy: Option<LatenessPolicy>,
}

impl UpdateOrganization {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("Changes of a workspace; absent fields stay unchanged.");
        let name = reader.optional("name", visible_name(MAX_NAME_CHARS), "Its name.");
        let time_zone = reader.optional(
            "timeZone",
            zone(),
            "A zone of the tz database, such as `Europe/Berlin` or `UTC`.",
        );
        let policy = reader.optional_or_null(
            "latenessPolicy",
            object(read_policy),
            "The rule for posts that are found overdue; `null`: they are always published.",
        );
        Some(Self {
            name: name?,
            time_zone: time_zone?,
            lateness_policy: policy?.map(|policy| policy.unwrap_or(LatenessPolicy::AlwaysPublish)),
        })
    }
}

fn read_policy(reader: &mut ObjectReader<'_>) -> Option<LatenessPolicy> {
    reader.required(
        "askAfterHours",
        number(LatenessPolicy::HOURS, LatenessPolicy::after_hours),
        "Hours, whole or not, after which an overdue post waits for a person.",
    )
}

fn zone() -> impl FieldType<Parsed = Zone> {
    text(MAX_ZONE_CHARS).then(|name| {
        Zone::parse(&name)
            .ok_or_else(|| IssueCode::UnknownValue.with("must be a time zone, such as Europe/Berlin or UTC"))
    })
}

/// A request to delete a workspace, with the owner's credentials.
#[derive(Debug, Clone)]
pub struct DeleteOrganization {
    /// The current password.
    pub password: Secret,
    /// A code of the app, or a recovery code, for those whose second factor is on.
    pub code: Option<Secret>,
}

impl DeleteOrganization {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("The owner's credentials.");
        let password = read_password(reader);
        let code = read_optional_code(reader);
        Some(Self {
            password: password?,
            code: code?,
        })
    }
}

/// What removing a member, or demoting them, affects.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Holdings)]
pub struct HoldingsBody {
    /// The keys they created, those of devices they approved included. They end.
    pub keys: Vec<KeyBody>,
    /// The webhooks whose present secret they were shown. They stay, and their secrets should be rotated.
    pub webhooks: Vec<HeldWebhookBody>,
}

/// A webhook whose secret a member knows.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HeldWebhook)]
pub struct HeldWebhookBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    pub id: WebhookId,
    /// The address of its events.
    pub url: String,
}

/// A request to change a member's role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeRole {
    /// The role.
    pub role: Role,
}

impl ChangeRole {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("Another role.");
        let role = reader.required("role", word(&ROLES), "The role.");
        Some(Self { role: role? })
    }
}

/// A request to invite someone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invite {
    /// The address.
    pub email: Email,
    /// The role.
    pub role: Role,
}

impl Invite {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("The address and the role.");
        let email = reader.required("email", email(), "The address to invite.");
        let role = reader.optional("role", word(&ROLES), "Their role; `member` unless given.");
        Some(Self {
            email: email?,
            role: role?.unwrap_or(Role::Member),
        })
    }
}

/// A request to accept an invitation.
#[derive(Debug, Clone)]
pub struct Accept {
    /// Its token.
    pub token: Secret,
}

impl Accept {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("The invitation to accept.");
        let token = reader.required("token", secret(MAX_TOKEN_CHARS), "The invitation's token.");
        Some(Self { token: token? })
    }
}

/// The schemas of the requests.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("DeleteOrganization", schema_of(DeleteOrganization::fields)),
        ("NameOrganization", schema_of(NameOrganization::fields)),
        ("UpdateOrganization", schema_of(UpdateOrganization::fields)),
        ("ChangeRole", schema_of(ChangeRole::fields)),
        ("Invite", schema_of(Invite::fields)),
        ("AcceptInvitation", schema_of(Accept::fields)),
    ]
}
