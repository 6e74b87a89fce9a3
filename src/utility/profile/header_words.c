/* header_words.c - words that names of columns hold, in the languages of the EU, folded (header.h).
 * One row per concept. A word that also means something else in another language is left out, or
 * stands where the other meaning does no harm. */
#include "utility/profile/header.h"

static const char *const words[KN_CONCEPTS] = {
    [KN_CONCEPT_NONE] = "",
    [KN_CONCEPT_CONTACT] =
        "account email fax iban bic ip login mail mailadres mobile mobil handy phone telephone "
        "url username website homepage -telefon telefon telefono telefone telefonas telefons "
        "telefoon telefonnummer tel telnr gsm cellulare movil portable courriel correo correio "
        "posta epost eposta sahkoposti puhelin puhelinnumero matkapuhelin telefonszam "
        "tilinumero kontonummer konto rekening rekeningnummer rachunek compte cuenta conto "
        "szamlaszam τηλεφωνο κινητο имейл телефон kontakttelefon teleph nutzername benutzername "
        "gebruikersnaam utente usuario kayttajatunnus",
    [KN_CONCEPT_ID_NUMBER] =
        "ssn mrn passport passnummer passaporto passeport pasaporte paszport guid uuid "
        "userid personid patientid socialsecurity licence license drivers plate initials cedula "
        "personalausweis ausweis ausweisnummer steuerid steuernummer steuerident svnr "
        "sozialvers- rentenversicherungsnummer versichertennummer krankenversichertennummer "
        "kvnr insurancenumber nir numerosecu nss numsecu codicefiscale codfiscale fiscale "
        "tesserasanitaria dni nie nif niss bsn rijksregisternummer rrn insz nrn pesel nip dowod "
        "personnummer pnr henkilotunnus hetu cpr cprnummer cprnr rodnecislo rodcis cnp egn "
        "егн oib jmbg emso isikukood asmenskodas asmensk personaskods taj tajszam amka αμκα αφμ "
        "afm pps ppsn nhs nhsnumber matricola matricule matricula personalnummer "
        "personeelsnummer",
    [KN_CONCEPT_ADDRESS] =
        "address street adresse anschrift strasse -strasse str hausnummer hausnr rue "
        "adressepostale indirizzo domicilio calle direccion morada rua straat adres huisnummer "
        "ulica adresa ulice adresas gatve adrese iela aadress tanav osoite katuosoite "
        "gatuadress adress gata vej vejnavn gade utca lakcim cim strada ulita naslov διευθυνση "
        "οδοσ адрес улица seoladh sraid indirizz triq via civico",
    [KN_CONCEPT_NAME_PART] =
        "firstname forename fullname givenname lastname surname middlename maidenname nachname "
        "vorname familienname geburtsname zuname vollname rufname prenom nomdefamille "
        "nomfamille nomnaissance cognome nomecognome nombre apellido apellidos apellido1 "
        "apelido sobrenome voornaam achternaam familienaam tussenvoegsel imie nazwisko "
        "imienazwisko jmeno prijmeni meno priezvisko fornavn efternavn fornamn efternamn "
        "etunimi sukunimi eesnimi perekonnanimi vards uzvards vardas pavarde keresztnev "
        "vezeteknev utonev csaladnev prenume numefamilie priimek prezime ονομα επωνυμο "
        "ονοματεπωνυμο име фамилия презиме ainm sloinne kunjom isem maiden nom nume navn namn "
        "naam nimi",
    [KN_CONCEPT_HEALTH] =
        "cancer condition diag- diagnose- diagnoses diagnosis disease drug drugs hiv icd "
        "illness medication medications medicine outcome pregnancy pregnant procedure symptom "
        "symptoms test therapy treatment treatments disability allergy allergies vaccine "
        "vaccination comorbidity diagnostic diagnostico diagnosi diagnoosi diagnoos diagnoza "
        "diagnozis diagnoze διαγνωση диагноза krankheit erkrankung hauptdiagnose nebendiagnose "
        "befund medikament medikamente arznei therapie behandlung behinderung allergie "
        "schwanger schwangerschaft maladie medicament traitement handicap grossesse malattia "
        "farmaco terapia disabilita enfermedad medicamento tratamiento discapacidad doenca "
        "farmacos tratamento deficiencia ziekte medicijn behandeling zwanger choroba lek "
        "leczenie niepelnosprawnosc nemoc lecba sygdom medicin behandling sjukdom lakemedel "
        "sairaus laake hoito haigus ravim ravi liga slimiba gydymas betegseg gyogyszer kezeles "
        "boala tratament bolezen zdravilo zdravljenje bolest lijek lijecenje ασθενεια φαρμακο "
        "θεραπεια заболяване лекарство лечение galar marda mardi",
    [KN_CONCEPT_MONEY] =
        "charge charges cost costs debt income salary wage wages wealth earnings pension "
        "benefit benefits tax -tax tax- balance grade score einkommen gehalt lohn "
        "-einkommen -gehalt verdienst schulden vermogen steuer rente miete revenu revenus "
        "salaire dette impot retraite reddito stipendio debito pensione ingresos renta salario "
        "sueldo deuda rendimento ordenado divida inkomen salaris loon schuld pensioen dochod "
        "wynagrodzenie pensja dlug plat mzda dluh prijem indkomst loen gaeld inkomst inkomster "
        "skuld palkka tulot tulo velka sissetulek palk ienakumi alga pajamos atlyginimas "
        "jovedelem fizetes ber tartozas venit salariu datorie dohodek placa dolg dohodak "
        "εισοδημα μισθοσ χρεοσ доход заплата дълг ioncam dhul paga",
    [KN_CONCEPT_BELIEF] =
        "crime offence offense political politics party religion religious sexuality "
        "orientation union vote conviction straftat vorstrafe partei konfession glaube "
        "gewerkschaft wahl delit parti politique syndicat croyance reato partito religione "
        "sindacato voto delito partido sindicato religiao religie godsdienst vakbond partij "
        "wyznanie przestepstwo zwiazek nabozenstvi religia vallas uskonto rikos puolue brott "
        "trossamfund forbrydelse usund ticiba religija vjera partid "
        "infractiune θρησκεια κομμα религия престъпление creideamh reit",
    [KN_CONCEPT_BIRTH] =
        "birth birthdate birthday birthplace birthyear dateofbirth dob yob born geburts- geburt "
        "geboren gebdat gebdatum gebjahr naissance datenaissance nele nascita datanascita "
        "natoil nacimiento fechanacimiento nascimento datanascimento geboorte- geboortedatum "
        "urodzenia urodzony dataurodzenia narozeni narodenia fodsels- fodselsdato fodelse- "
        "fodelsedatum syntyma- syntymaaika sunniaeg sunniaasta dzimsanas dzimis gimimo gimimas "
        "szuletes- szuletesi szuletett nasterii nastere rojstva rojstni rodenja rodendan "
        "γεννησησ γεννηση раждане рождена breith breithe twelid",
    [KN_CONCEPT_AGE] =
        "age alter altersgruppe lebensalter eta edad idade leeftijd wiek vek alder ika vanus "
        "vecums amzius kor eletkor varsta starost dob ηλικια възраст aois agegroup ageband",
    [KN_CONCEPT_POSTCODE] =
        "postcode postal zip zipcode plz postleitzahl codepostal codpostal cap codigopostal cp "
        "cep kodpocztowy psc postnummer postnr postinumero sihtnumber pastaindekss pastokodas "
        "iranyitoszam irsz postnastevilka postanskibroj τκ ταχυδρομικοσ пощенски eircode",
    [KN_CONCEPT_COUNTRY] =
        "citizenship country nationality native origin land staat staatsangehorigkeit "
        "nationalitat herkunft herkunftsland pays nationalite paese nazionalita cittadinanza "
        "pais nacionalidad nacionalidade nationaliteit herkomst kraj narodowosc obywatelstvo "
        "obywatelstwo zeme statnost narodnost krajina nationalitet medborgarskap kansalaisuus "
        "maa kodakondsus riik valsts pilsoniba salis pilietybe orszag allampolgarsag tara "
        "cetatenie drzava drzavljanstvo χωρα ιθαγενεια εθνικοτητα държава гражданство tir "
        "naisiuntacht pajjiz",
    [KN_CONCEPT_COORDINATE] =
        "lat latitude lng lon long longitude coordinates breitengrad langengrad geo gps latitud "
        "longitud latitudine longitudine koordinaten",
    [KN_CONCEPT_PLACE] =
        "borough city county district municipality province region state stabbr suburb town "
        "village ward department bundesland gemeinde kreis landkreis ort wohnort stadt "
        "stadtteil ortsteil ville commune departement canton arrondissement citta comune "
        "provincia regione ciudad municipio comunidad localidad cidade concelho freguesia "
        "distrito gemeente stad woonplaats provincie miasto gmina powiat wojewodztwo mesto obec "
        "okres kraj kommune kommun lan kunta kaupunki maakunta linn vald maakond pilseta novads "
        "miestas savivaldybe varos megye telepules oras judet localitate obcina zupanija grad "
        "naselje πολη νομοσ δημοσ περιφερεια град община област cathair contae belt lokalita",
    [KN_CONCEPT_OCCUPATION] =
        "employer employment job occupation profession school workclass isco nace branch "
        "industry sector beruf tatigkeit arbeitgeber branche schule beschaftigung metier "
        "employeur secteur ecole professione lavoro datore scuola profesion ocupacion empleo "
        "escuela profissao ocupacao emprego escola beroep werkgever zawod pracodawca branza "
        "szkola povolani zamestnavatel povolanie erhverv stilling yrke arbetsgivare ammatti "
        "tyonantaja amet tooandja profesija darbavieta darbdavys foglalkozas munkaltato "
        "ocupatie profesie angajator poklic delodajalec zanimanje poslodavac επαγγελμα "
        "εργοδοτησ професия работодател slibhbheatha",
    [KN_CONCEPT_TRAIT] =
        "admission death deathdate discharge education ethnicity gender height language marital "
        "maritalstatus race relationship sex weight children household geschlecht familienstand "
        "bildung schulabschluss sprache grosse gewicht haushalt kinder sterbedatum todesdatum "
        "aufnahme entlassung sexe genre etatcivil situationfamiliale langue taille poids "
        "diplome deces sesso genere statocivile istruzione lingua altezza peso sexo genero "
        "estadocivil educacion idioma altura estatura fallecimiento educacao geslacht "
        "burgerlijkestaat opleiding taal lengte overlijden plec stancywilny wyksztalcenie jezyk "
        "wzrost waga pohlavi rodinnystav vzdelani jazyk vyska vaha pohlavie vzdelanie kon koen "
        "civilstand uddannelse sprog hojde vaegt civilstatus utbildning sprak langd vikt "
        "sukupuoli siviilisaaty koulutus kieli pituus paino sugu perekonnaseis haridus keel "
        "dzimums gimenesstavoklis izglitiba valoda lytis seimynine issilavinimas kalba neme "
        "csaladiallapot vegzettseg nyelv sexul starecivila studii limba spol zakonskistan "
        "izobrazba jezik bracnistanje obrazovanje φυλο οικογενειακη εκπαιδευση γλωσσα пол "
        "семейно образование език gneas inscne sess edukazzjoni",
    [KN_CONCEPT_NAME] = "name nome nombre nazwa nazev nazov nev onoma",
    [KN_CONCEPT_NAME_ALONE] = "family first given last middle",
    [KN_CONCEPT_NUMBER] =
        "id identifier ident key nbr nr number num numero nummer -nummer -nr numer cislo "
        "stevilka broj szam azonosito tunnus tunniste kennung kennzeichen -id kodas "
        "identificador identifiant identificativo serialno serial αριθμοσ номер aktenzeichen",
    [KN_CONCEPT_PERSON] =
        "patient- person persons user client customer subject member employee student pupil "
        "citizen insured participant respondent donor tenant patienten klient kunde kunden "
        "kundennummer mitglied mitarbeiter schuler versicherter probanden- bewohner adherent "
        "salarie eleve assure paziente cliente dipendente studente paciente empleado alumno "
        "doente utente aluno klant medewerker leerling pacjent pracownik uczen osoba zakaznik "
        "zamestnanec bruger kund anstalld potilas asiakas opilane klients pacients klientas "
        "pacientas beteg ugyfel dolgozo angajat bolnik stranka zaposleni pacijent ασθενησ "
        "πελατησ пациент клиент",
    [KN_CONCEPT_CODE] =
        "code codes type typ tipo kind status class category cat kategorie art group gruppe kod "
        "kodi koodi kods cod level flag source disposition indicator mar sporder",
    [KN_CONCEPT_COUNT] = "number num count amount anzahl menge nombre liczba pocet antal aantal",
    [KN_CONCEPT_FREE_TEXT] =
        "comment comments description note notes remark remarks text freetext memo narrative "
        "anmerkung anmerkungen bemerkung bemerkungen beschreibung freitext notiz kommentar "
        "commentaire commentaires remarque observation observations descriptif nota commenti "
        "osservazioni comentario comentarios observaciones observacoes opmerking opmerkingen "
        "omschrijving uwagi komentarz opis poznamka komentar bemaerkning anteckning huomautus "
        "huomio markus piezimes pastabos megjegyzes leiras observatii opomba napomena σχολια "
        "παρατηρησεισ бележка коментар",
};

const char *kn__header_words(kn_concept concept)
{
    return concept < KN_CONCEPTS ? words[concept] : "";
}
