//! Keywords of pages worth reading, by kind and language. They are compared folded: lower case, no accents, words joined by
//! `-`. German umlauts are listed in both spellings. Each line is one language or a few, English first. A keyword with `!`
//! counts only on its own: "people" is a team page, "people search" is not.

use crate::report::PageKind;

/// Keywords of one kind of page, and the points of a match.
pub(crate) struct Keywords {
    pub(crate) kind: PageKind,
    pub(crate) points: i32,
    pub(crate) words: &'static str,
}

/// All keywords. The order within a kind does not matter.
pub(crate) const KEYWORDS: [Keywords; 8] = [
    Keywords {
        kind: PageKind::Contact,
        points: 100,
        words: "\
            contact contacts contact-us contactus contact-me contact-info contact-information get-in-touch \
            getintouch reach-us talk-to-us write-us email-us connect-with-us contact-form \
            kontakt kontakte kontaktformular kontaktdaten ansprechpartner anfahrt-kontakt \
            contactez-nous nous-contacter contactez nous-ecrire coordonnees \
            contacto contactos contactenos contactanos contactar \
            contatti contatto contattaci contattateci \
            contacteer-ons contact-opnemen contactgegevens \
            contato contatos contacte-nos fale-conosco faleconosco fale-connosco entre-em-contato \
            skontaktuj-sie dane-kontaktowe kontakty \
            kontakta kontakta-oss kontakt-oss kontakt-os yhteystiedot ota-yhteytta hafa-samband \
            kapcsolat elerhetoseg iletisim bize-ulasin epikoinonia επικοινωνια kontakty-i-adres контакты контакти \
            связаться-с-нами \
            contacte contacta お問い合わせ 联系我们 聯絡我們 문의 \
        ",
    },
    Keywords {
        kind: PageKind::Imprint,
        points: 92,
        words: "\
            impressum imprint legal-notice legal-information anbieterkennzeichnung site-notice mentions-legales \
            mentions! informations-legales aviso-legal note-legali informazioni-legali colofon bedrijfsgegevens \
            informacoes-legais nota-prawna informacje-prawne tiraz legal! 特定商取引法 特定商取引法に基づく表記 会社概要 \
        ",
    },
    Keywords {
        kind: PageKind::Team,
        points: 86,
        words: "\
            team our-team ourteam the-team meet-the-team meet-our-team staff our-staff meet-the-staff people! \
            our-people leadership management! doctors our-doctors meet-the-doctor meet-the-doctors meet-dr dentists \
            our-dentists providers! our-providers physicians attorneys our-attorneys lawyers stylists our-stylists \
            agents! our-agents instructors trainers! who-we-are founder meet-the-owner owner! owners! meet-the-owners \
            therapists practitioners veterinarians chef! \
            unser-team das-team mitarbeiter praxisteam arzte aerzte anwalte anwaelte geschaftsfuhrung \
            geschaeftsfuehrung inhaber wer-wir-sind team-praxis \
            equipe notre-equipe l-equipe qui-sommes-nous nos-avocats \
            equipo nuestro-equipo quienes-somos nuestros-doctores abogados \
            il-team lo-staff la-squadra il-nostro-team chi-siamo professionisti lo-studio \
            ons-team wie-zijn-wij wie-we-zijn medewerkers \
            nossa-equipe a-equipa equipa quem-somos nosso-time \
            zespol nasz-zespol kadra o-nas-zespol nas-tym tym tim nas-tim \
            medarbetare medarbejdere ansatte henkilosto henkilokunta csapat csapatunk munkatarsak ekibimiz команда \
            наша-команда スタッフ スタッフ紹介 团队 团队介绍 \
        ",
    },
    Keywords {
        kind: PageKind::About,
        points: 80,
        words: "\
            about about-us aboutus about-me our-story story! our-history history! our-company company! who-are-we \
            meet-us our-firm our-practice the-firm profile! \
            uber-uns ueber-uns ueberuns uberuns uber-mich ueber-mich unternehmen wir-uber-uns wir-ueber-uns praxis! \
            kanzlei firma! geschichte das-unternehmen \
            a-propos apropos a-propos-de-nous notre-histoire presentation! l-entreprise entreprise! le-cabinet cabinet! \
            sobre-nosotros acerca-de acerca-de-nosotros nosotros empresa! la-empresa nuestra-historia \
            azienda l-azienda la-nostra-storia storia! profilo! \
            over-ons overons over-mij ons-verhaal \
            sobre! sobre-nos a-empresa nossa-historia \
            o-nas o-firmie o-mnie o-nama o-spolecnosti o-podjetju \
            om-oss om-os om-mig om-foretaget tietoa-meista meista yritys rolunk bemutatkozas despre-noi hakkimizda \
            poioi-eimaste о-нас о-компании про-нас 関于我们 关于我们 私たちについて \
        ",
    },
    Keywords {
        kind: PageKind::Book,
        points: 62,
        words: "\
            book! book-now booknow book-online book-an-appointment book-appointment booking bookings appointment \
            appointments schedule! schedule-now schedule-online schedule-service schedule-an-appointment \
            request-an-appointment request-appointment reservation reservations reserve! reserve-a-table \
            make-a-reservation free-consultation termin termine terminvereinbarung termin-buchen online-termin \
            terminbuchung buchen reservierung tisch-reservieren rendez-vous prendre-rendez-vous reserver reservez \
            reservar reserva reservas cita! citas! pedir-cita cita-previa agendar agendamento prenota prenotazione \
            prenotazioni prenota-ora afspraak afspraak-maken reserveren marcacoes marcar! rezerwacja umow-wizyte \
            rezervace rezervacija boka boka-tid bestill-time book-tid varaa-aika ajanvaraus idopont idopontfoglalas \
            randevu rezervari запись \
        ",
    },
    Keywords {
        kind: PageKind::Order,
        points: 56,
        words: "\
            order! order-online orderonline order-now online-ordering order-food order-pickup takeout take-out \
            takeaway delivery! shop! store! online-store webshop onlineshop online-shop bestellen online-bestellen \
            lieferservice commander commande boutique! a-emporter pedir pedidos tienda ordina ordina-online negozio \
            loja encomendar zamow zamow-online sklep bestall bestil tilaa rendeles comanda siparis menu! menus! \
        ",
    },
    Keywords {
        kind: PageKind::Location,
        points: 50,
        words: "\
            location! locations our-location our-locations find-us directions! visit! visit-us hours! hours-location \
            hours-and-location opening-hours where-we-are office! our-office anfahrt standort standorte \
            offnungszeiten oeffnungszeiten so-finden-sie-uns acces! plan-d-acces horaires ubicacion donde-estamos \
            horario horarios dove-siamo orari locatie openingstijden route! onde-estamos localizacao dojazd \
            godziny-otwarcia gdzie-jestesmy hitta-hit oppettider \
        ",
    },
    Keywords {
        kind: PageKind::Contact,
        points: 40,
        words: "\
            support! customer-service help! quote! get-a-quote request-a-quote free-quote free-estimate request-service \
            faq! privacy! privacy-policy datenschutz datenschutzerklarung datenschutzerklaerung angebot devis \
            presupuesto preventivo offerte orcamento wycena \
        ",
    },
];
