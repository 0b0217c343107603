//! The headers that tell what a column holds.

use super::field::Field;

/// For each field its headers, folded, the clearest first; then those that count only when there is no better one.
pub(super) const HEADERS: &[(Field, &str, &str)] = &[
    (
        Field::Id,
        "id placeid fsqplaceid businessid recordid uniqueid uuid guid gers gersid osmid fullid googleid cid \
             externalid sourceid kennung identifiant identificador identificativo",
        "objectid fid",
    ),
    (
        Field::Name,
        "name businessname companyname placename displayname storename shopname tradename tradingname dba \
             doingbusinessas legalname organizationname organisationname firmenname firma unternehmen unternehmensname \
             betrieb geschaftsname geschaeftsname nom nomcommercial raisonsociale denomination enseigne nombre \
             nombrecomercial razonsocial nome ragionesociale denominazione nomenegozio nameprimary namesprimary",
        "company business title organization organisation bezeichnung titel titre titulo titolo entreprise empresa \
             azienda societe place store shop venue listing label",
    ),
    (
        Field::Category,
        "category categories primarycategory maincategory categoryname businesscategory industry industries sector \
             trade businesstype branche kategorie kategorien gewerbe categorie categoriepricipale secteur secteurdactivite \
             activite activiteprincipale categoria categorias rubro sector sectoractividad giro actividad settore attivita \
             categoriaprincipale industria basiccategory fsqcategorylabels categoriesprimary taxonomyprimary",
        "type types kind placetype subtypes subcategory subcategories secondarycategories othercategories art typ tipo \
             genre class classification naicsdescription sicdescription tags amenity craft shoptype services",
    ),
    (
        Field::Latitude,
        "latitude lat breitengrad geographischebreite latitud latitudine gpslat geolat locationlat gpslatitude \
             ylatitude latitudey latwgs84 latitudewgs84 centroidlat",
        "y ycoord ycoordinate breite coordy coordonneey",
    ),
    (
        Field::Longitude,
        "longitude lng lon long langengrad laengengrad geographischelange geographischelaenge longitud longitudine \
             gpslon gpslng gpslong geolon geolng locationlng locationlon locationlong gpslongitude xlongitude longitudex \
             lonwgs84 longitudewgs84 centroidlon",
        "x xcoord xcoordinate lange laenge coordx coordonneex",
    ),
    (
        Field::Coordinates,
        "coordinates coordinate coords latlng latlon latlong latitudelongitude gpscoordinates geopoint geopoint2d \
             geolocation wkt pointwkt wktgeom geometrywkt koordinaten geokoordinaten coordonnees coordonneesgps \
             coordonneesgeographiques coordenadas coordinategeografiche",
        "gps geo point geom geometry thegeom shape",
    ),
    (
        Field::Address,
        "address fulladdress streetaddress addressline1 address1 addressline addressfull formattedaddress freeform \
             postaladdress mailingaddress anschrift adresse adressecomplete adresseligne1 direccion domicilio indirizzo \
             addrfull addressesfreeform",
        "location addr adr lage",
    ),
    (
        Field::Street,
        "street streetname road strasse str strassenname rue voie nomvoie libellevoie calle via nomevia thoroughfare \
             addressstreet addrstreet hausanschrift",
        "avenue",
    ),
    (
        Field::HouseNumber,
        "housenumber houseno housenr streetnumber streetno buildingnumber hausnummer hausnr hnr numero numerorue \
             numerovoie numvoie numeroexterior numerocivico civico addrhousenumber addressnumber",
        "",
    ),
    (
        Field::Unit,
        "unit suite apartment apt unitnumber suitenumber addressline2 address2 floor addrunit addrsuite complement \
             complementadresse piso interno",
        "room",
    ),
    (
        Field::City,
        "city town locality cityname municipality addrcity posttown ort stadt ortschaft gemeinde wohnort ville commune \
             localite ciudad localidad municipio poblacion citta comune localita cidade addresseslocality",
        "village suburb borough",
    ),
    (
        Field::State,
        "state province region stateprovince statecode stateabbr usstate addrstate bundesland kanton land1 etat \
             departement regionname estado provincia comunidadautonoma regione addressesregion adminregion",
        "county district prefecture",
    ),
    (
        Field::Postcode,
        "postcode zip zipcode postalcode postal zippostalcode postzip addrpostcode plz postleitzahl codepostal cp \
             codigopostal cap codiceavviamentopostale pincode eircode addressespostcode",
        "",
    ),
    (
        Field::Country,
        "countrycode country countryiso countryiso2 iso2 isocountry isocountrycode addrcountry nation land \
             landercode laendercode staat pays codepays pais codigopais paese nazione stato addressescountry",
        "countryname",
    ),
    (
        Field::Phone,
        "phone phones phonenumber phonenumbers telephone telephonenumber tel mobile mobilephone mobilenumber cell \
             cellphone landline contactnumber businessphone telefon telefonnummer rufnummer tel1 mobil handy mobilnummer \
             telefono telefonos movil celular numerotelefono numerodetelefono numerotelephone portable cellulare \
             phoneunformatted internationalphonenumber formattedphonenumber whatsapp",
        "",
    ),
    (
        Field::Website,
        "website websites websiteurl web webpage homepage domain domainname site siteurl weburl www internet webseite \
             internetseite internetadresse siteweb siteinternet sitioweb paginaweb sitoweb sito websiteuri rooturl",
        "url urls link uri",
    ),
    (
        Field::Email,
        "email emails emailaddress emailaddresses mail mailaddress contactemail emailid eaddress emailadresse \
             mailadresse courriel adresseemail adressemail correo correoelectronico correos postaelettronica indirizzoemail",
        "",
    ),
    (
        Field::Social,
        "social socials socialmedia sociallinks socialprofiles socialmedialinks reseauxsociaux redessociales",
        "",
    ),
    (Field::Facebook, "facebook fb facebookid facebookurl facebookpage facebooklink", ""),
    (Field::Instagram, "instagram ig insta instagramurl instagramhandle", ""),
    (Field::Twitter, "twitter twitterhandle twitterurl xtwitter twitterx xcom", ""),
    (Field::Linkedin, "linkedin linkedinurl linkedinpage", ""),
    (Field::Youtube, "youtube youtubeurl youtubechannel", ""),
    (Field::Tiktok, "tiktok tiktokurl tiktokhandle", ""),
    (Field::Brand, "brand brandname chain chainname franchise marke marque marca brandnamesprimary", "parentcompany"),
    (
        Field::Rating,
        "rating averagerating avgrating ratingaverage stars starrating googlerating reviewrating reviewscore totalscore \
             overallrating ratingvalue bewertung durchschnittsbewertung sterne note notemoyenne calificacion valoracion \
             puntuacion valutazione punteggio",
        "score",
    ),
    (
        Field::ReviewCount,
        "reviewcount reviewscount numberofreviews numreviews reviewnumber ratingcount ratingscount userratingcount \
             userratingstotal totalreviews totalratings nreviews ofreviews noofreviews reviews anzahlbewertungen \
             bewertungen nombreavis nombredavis nbavis avis numeroresenas numeroderesenas resenas opiniones \
             numerorecensioni recensioni",
        "votes",
    ),
    (
        Field::OpeningHours,
        "openinghours hours businesshours workinghours openhours hoursofoperation offnungszeiten oeffnungszeiten \
             horaires horairesdouverture horario horarios horariodeatencion orari orariodiapertura orarioapertura",
        "schedule",
    ),
    (
        Field::Status,
        "status businessstatus operatingstatus operationalstatus openstatus activestatus betriebsstatus statut \
             estadonegocio situation",
        "",
    ),
    (
        Field::Closed,
        "closed isclosed permanentlyclosed ispermanentlyclosed closedpermanently dateclosed closeddate closingdate \
             geschlossen ferme cerrado chiuso",
        "",
    ),
    (Field::Confidence, "confidence confidencescore existenceconfidence", ""),
    (
        Field::Updated,
        "updated updatedat lastupdated lastupdate lastmodified modifiedat dateupdated daterefreshed updatetime \
             modified aktualisiert miseajour datemaj actualizado aggiornato checkdate",
        "timestamp",
    ),
];
