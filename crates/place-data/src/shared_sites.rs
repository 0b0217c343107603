//! Sites on which many businesses have a page.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

/// Networks, directories, booking and ordering platforms, site builders, shorteners. The domain says nothing, the page does.
const SHARED_SITES: &str = "facebook.com fb.com fb.me m.me instagram.com twitter.com x.com linkedin.com youtube.com tiktok.com pinterest.com
    vk.com wa.me whatsapp.com t.me linktr.ee bio.site beacons.ai about.me taplink.cc yelp.com yellowpages.com bbb.org tripadvisor.com
    foursquare.com g.page goo.gl google.com business.site doordash.com ubereats.com grubhub.com opentable.com booking.com airbnb.com
    etsy.com ebay.com amazon.com angi.com thumbtack.com houzz.com healthgrades.com zocdoc.com webmd.com vitals.com psychologytoday.com
    doctolib.de doctolib.fr doctolib.it jameda.de gelbeseiten.de pagesjaunes.fr paginasamarillas.es paginegialle.it treatwell.de
    treatwell.fr treatwell.co.uk planity.com thefork.com lafourchette.com lieferando.de just-eat.co.uk just-eat.fr deliveroo.co.uk
    wolt.com foodora.fi foodpanda.com wix.com wixsite.com squarespace.com weebly.com godaddysites.com square.site wordpress.com
    blogspot.com tumblr.com medium.com jimdo.com jimdosite.com webflow.io webflow.com github.io shopify.com myshopify.com
    bigcartel.com bit.ly tinyurl.com page.link resy.com toasttab.com clover.com fresha.com booksy.com vagaro.com styleseat.com
    mindbodyonline.com setmore.com calendly.com realtor.com zillow.com trulia.com apartments.com avvo.com justia.com findlaw.com
    lawyers.com superlawyers.com mapquest.com whitepages.com manta.com nextdoor.com groupon.com hotels.com expedia.com agoda.com
    trivago.com yahoo.com microsoft.com apple.com wikipedia.org wikidata.org openstreetmap.org archive.org";

/// Whether this is a site on which many businesses have a page, by its bare domain such as `facebook.com`.
#[must_use]
pub fn is_shared_site(domain: &str) -> bool {
    static SITES: OnceLock<FxHashSet<&str>> = OnceLock::new();
    SITES.get_or_init(|| SHARED_SITES.split_whitespace().collect()).contains(domain)
}
