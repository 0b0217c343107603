//! Which leads of a search are wanted, in which order, and which page of them.

/// Criteria that a lead must meet; those left out do not restrict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeadFilter {
    /// Lowest score, 0 to 100.
    pub min_score: Option<i64>,
    /// With (true) or without (false) an advertising pixel.
    pub has_ad_pixel: Option<bool>,
    /// Slug of a network whose pixel the website has.
    pub ad_network: Option<String>,
    /// With (true) or without (false) analytics.
    pub has_analytics: Option<bool>,
    /// Slug of what the website is built with.
    pub platform: Option<String>,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeadOrder {
    /// The order of the source: the same for every search with the same request.
    #[default]
    Rank,
    /// The order of delivery: later leads come last, so that the pages of a running search fit together.
    Delivered,
    /// The highest score first.
    Score,
}

impl LeadOrder {
    /// In the order in which documents list them.
    pub const ALL: [LeadOrder; 3] = [LeadOrder::Score, LeadOrder::Rank, LeadOrder::Delivered];

    /// As requests write it.
    pub fn name(self) -> &'static str {
        match self {
            LeadOrder::Rank => "rank",
            LeadOrder::Delivered => "delivered",
            LeadOrder::Score => "score",
        }
    }

    /// The order when a request names none.
    pub fn of_list(is_running: bool) -> LeadOrder {
        if is_running { LeadOrder::Delivered } else { LeadOrder::Rank }
    }
}

/// A part of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeadPage {
    /// Leads skipped at the beginning.
    pub offset: usize,
    /// Leads at most; all when left out.
    pub limit: Option<usize>,
}

/// A request for leads of one search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeadQuery {
    /// Applied first.
    pub filter: LeadFilter,
    /// Applied to what the filter leaves.
    pub order: LeadOrder,
    /// Cut out of the ordered list.
    pub page: LeadPage,
}
