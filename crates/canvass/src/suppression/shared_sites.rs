//! Domains that many businesses share: to suppress one would hide them all.

use page_facts::is_free_mail;
use polite_reader::names_own_site;

/// Website builders, shorteners, directories and booking services beyond those that the reader knows as social sites.
const SHARED_SITES: &str = "google.com business.site wix.com wixsite.com squarespace.com weebly.com godaddysites.com \
    square.site wordpress.com blogspot.com tumblr.com medium.com jimdo.com jimdosite.com webflow.io webflow.com github.io \
    shopify.com myshopify.com bit.ly tinyurl.com page.link yahoo.com microsoft.com apple.com zocdoc.com webmd.com vitals.com \
    doctolib.de doctolib.fr jameda.de gelbeseiten.de pagesjaunes.fr paginasamarillas.es paginegialle.it treatwell.de \
    treatwell.fr treatwell.co.uk planity.com thefork.com wolt.com resy.com toasttab.com clover.com fresha.com booksy.com \
    vagaro.com styleseat.com mindbodyonline.com setmore.com calendly.com realtor.com zillow.com trulia.com apartments.com \
    avvo.com justia.com findlaw.com lawyers.com superlawyers.com mapquest.com whitepages.com manta.com groupon.com \
    hotels.com expedia.com agoda.com wikipedia.org openstreetmap.org";

/// Whether a host is that of a site which many businesses share. A name of its own below such a site, such as
/// `joes.weebly.com`, is one business's; below a social network no name is.
pub(super) fn is_shared(host: &str) -> bool {
    is_free_mail(host)
        || SHARED_SITES.split_whitespace().any(|site| site == host)
        // A word alone is no site at all, and so not one's own either.
        || (psl::domain_str(host).is_some() && !names_own_site(&format!("http://{host}/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_of_many_are_told_from_sites_of_one() {
        for host in
            ["facebook.com", "de-de.facebook.com", "yelp.co.uk", "gmail.com", "yahoo.de", "wix.com", "google.com"]
        {
            assert!(is_shared(host), "{host}");
        }
        for host in ["ada.com", "joes.weebly.com", "joe.squarespace.com", "ada.co.uk", "joes.localhost"] {
            assert!(!is_shared(host), "{host}");
        }
    }
}
