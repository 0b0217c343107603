//! Brands with the name of a person. Shops that carry them mention their designers and founders, who do not work there.

use crate::word_set::WordSet;

/// Brands, written without spaces.
static BRANDS: WordSet = WordSet::new(
    "calvinklein ralphlauren tommyhilfiger michaelkors katespade toryburch paulsmith marcjacobs stevemadden verawang
     betseyjohnson kennethcole donnakaran tomford hugoboss christiandior louisvuitton jimmychoo giorgioarmani
     karllagerfeld alexandermcqueen stellamccartney vincecamuto colehaan eddiebauer jackdaniels johnniewalker jimbeam
     charlesschwab edwardjones raymondjames marykay paulmitchell esteelauder bobbibrown bensherman tedbaker
     elizabetharden lauraashley lauramercier franklloydwright johndeere harleydavidson morganstanley
     marthastewart rachaelray dianevonfurstenberg christianlouboutin jeanpaulgaultier oscardelarenta perryellis
     geoffreybeene lizclaiborne anneklein anntaylor jjill peterthomasroth
     davidyurman jamesavery nicolemiller rebeccaminkoff samedelman johnvarvatos rogervivier
     charlestyrwhitt thomaspink henryford waltdisney stevejobs billgates elonmusk markzuckerberg jeffbezos
     warrenbuffett donaldtrump joebiden barackobama georgewashington abrahamlincoln samwalton
    
     benjaminmoore sherwinwilliams oliverwyman",
);

/// Whether a name is better known as a brand or as someone famous than as a person of a small business.
pub(super) fn is_brand(name: &str) -> bool {
    if name.len() > 40 || !name.is_ascii() {
        return false;
    }
    let mut joined = [0_u8; 40];
    let mut length = 0;
    for byte in name.bytes().filter(u8::is_ascii_alphabetic) {
        joined[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    std::str::from_utf8(&joined[..length]).is_ok_and(|joined| BRANDS.contains(joined))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brands_are_known() {
        assert!(is_brand("Calvin Klein") && is_brand("RALPH LAUREN") && is_brand("Oscar de la Renta"));
        assert!(!is_brand("Ann Lee") && !is_brand("") && !is_brand("Calvin Kleinert"));
    }
}
