//! Where a person reports that a post is, and whether its provider shows it there.

/// Where a post is, as a person reports it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Whereabouts<'a> {
    /// The provider's ID of it.
    pub release_id: Option<&'a str>,
    /// Its public page.
    pub release_url: Option<&'a str>,
}

/// A post that a person named, in the provider's own terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPost {
    /// Its ID.
    pub release_id: String,
    /// Its public page, if one was given, without what browsers and apps add to addresses.
    pub release_url: Option<String>,
    /// The account that the page names, where it is not the one we know: accounts change their names.
    pub other_account: Option<String>,
}

/// Whether an account shows a post to the public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sighting {
    /// It does, on this page.
    Shown(Option<String>),
    /// It does not: there is none, it is another account's, or it is not public.
    NotShown,
    /// The grant does not let us look.
    CannotLook,
}
