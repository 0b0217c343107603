//! Words of job titles, and those by which other lines differ from them.

use crate::word_set::WordSet;

/// Nouns that make a short line a title wherever they stand in it.
pub(super) static HEADS: WordSet = WordSet::new(include_str!("title_heads.txt"));

/// Nouns that also mean products, customers or members of a forum: a title only as the last word of a part of it.
pub(super) static WEAK_HEADS: WordSet = WordSet::new(
    "advocate ambassador apprentice author baker banker builder butcher captain carrier cashier cleaner coder collector conductor cook crew
     deputy developer distributor driver elder expert fabricator farmer finisher fitter gardener groundsman guard
     head helper historian host hostess installer intern joiner judge laborer lead leader leder lender marshal mason
     master mentor mover musician navigator operations operator organizer packer painter pianist pilot porter
     preparer priest printer processor professional promoter ranger restorer sales screener server sheriff sitter
     staff steward tailor tech csr trader usher valet vet violinist waiter warden worker",
);

/// Words that make `member` a title: `Managing Member`, `Board Member`.
pub(super) static MEMBER_OF: WordSet =
    WordSet::new("managing board team crew faculty staff founding council committee cast executive");

/// Letters that name a job by themselves.
pub(super) static LETTERS: WordSet = WordSet::new(
    "rdh cda rda efda rn lpn cna bsn aprn arnp crna fnp np pa-c lmt cmt cpa ea lvn cvt rvt lvt lcsw lmft lpc lcpc lmhc lpcc lpc-s alc ladc cadc ot
     otr otr/l otd cht cota dpt pta rd rdn cfp csr gri abr crs do dds dmd dvm od esq pe vp svp evp avp gm emt bcba slp cnm lac
     ceo cfo coo cto",
);

/// Words before a head noun that occur in titles: in `Managing Director Ann Lee` they tell the title from the name.
pub(super) static MODIFIERS: WordSet = WordSet::new(
    "senior sr sr. junior jr jr. asst asst. assistant associate deputy vice lead head chief executive managing general
     office sales marketing operations operating project account accounts regional district area branch store shop plant
     production service services customer client business development finance financial human resources hr it technical
     technology medical clinical dental nursing practice program creative art design sous pastry executive principal
     founding owner co-owner founder co-founder owner/operator broker/owner owner/broker registered licensed certified
     master board public relations property facilities facility maintenance construction field front desk team legal
     event events community outreach volunteer quality safety security supply chain warehouse logistics shipping parts
     fleet purchasing information systems data content digital media social brand product research lab laboratory real
     works company group shift night day kitchen bar floor studio clinic pharmacy surgical patient billing intake
     estate loan mortgage insurance tax payroll accounting administrative admin pro shop golf tennis swim youth music
     worship campus athletic church parish school town city county village youth children's family student spa bridal catering
     taproom tasting room wine beverage food bakery deli produce meat membership fitness wellness aquatics grounds course
     retail wholesale inside outside commercial residential service department new used pre-owned internet online of and &
     the",
);

/// Nouns of rank, after which the department follows: `Director Technology Banking`, `VP Engineering`.
pub(super) static RANKS: WordSet = WordSet::new(
    "director manager mgr vp svp evp avp ceo cfo coo cto cmo cio ciso chief president chairman chairwoman chair partner
     officer coordinator supervisor superintendent executive managing owner founder co-founder cofounder principal
     administrator specialist analyst representative rep directeur direttore director directora gerente leiter leiterin
     geschäftsführer geschäftsführerin inhaber inhaberin professor coach teacher instructor engineer technician assistant
     associate clerk secretary advisor adviser consultant counselor broker realtor responsable responsabile amministratore
     amministratrice administrador administradora directrice direttrice gérant gérante assistante conseiller conseillère jefe
     jefa coordinador coordinadora técnico técnica ingénieur ingeniero ingeniera consulente addetto addetta encargado encargada
     właściciel właścicielka majitel majitelka jednatel konateľ kierownik dyrektor ředitel riaditeľ vedoucí ředitelka tulajdonos
     proprietar vlasnik vlasnica direktor kurucu müdürü",
);

/// Words after a noun that leave it the noun of the title.
pub(super) static AFTER_HEADS: WordSet = WordSet::new(
    "of at for in to with and on und et de der für emeritus emerita iii extraordinaire since level first class general
     elect designate trainee support public",
);

/// Words with which sentences, buttons and job advertisements differ from titles.
pub(super) static SENTENCE_WORDS: WordSet = WordSet::new(
    "is are was were has have had our your you we i  will can that this these those get their his her my how what why
     who jobs job careers salary tba tbd certification degree login says said free posts comments hiring wanted needed vacancy
     near ago not does did included includes available optional every if when than then them they she he became become joined works worked
     started",
);

/// Verbs and other words that begin buttons and headings, never a title.
pub(super) static NEVER_FIRST: WordSet = WordSet::new(
    "contact call find meet view read learn become hire request apply search book schedule get see ask become join why
     how what browse download best about by with from for to at in on visit email become choose hire need top all more
     your our my a an want looking log sign send add start try buy shop be every any no not build create explore discover protect save
     as grow make take turn use watch write deploy manage hear let say tell give keep",
);

/// Last words of products that are named after a profession: `Manager bag`.
pub(super) static PRODUCTS: WordSet = WordSet::new(
    "bag bags tote jeans shoes dress dresses shirt shirts jacket hat hats mug poster watch watches lamp chair sofa desk
     table software tools tool kit gift gifts",
);

/// Nouns that name those who run a business together, as one title of each.
pub(super) static COLLECTIVE: WordSet = WordSet::new("geschäftsführung geschäftsleitung vorstand");

/// Words that end the phrase in which a sentence names a title.
pub(super) static PHRASE_ENDS: WordSet = WordSet::new(
    "who that which with at in for since from where when while has have is was are and or but by on to as he she they
     his her their our working serving based specializing living known responsible after before until having because
     here among them including such like",
);
