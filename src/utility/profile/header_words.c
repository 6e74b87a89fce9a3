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
        "adverse alcohol- alkohol- alcool alcol allerg- asthma atc bloodpressure bmi cancer "
        "carcin- cholesterol- colesterol- comorbid- condition covid- creatinin- crp depress- "
        "diabet- diag- dijagn- dbp sbp disease- dosage dose dosis drug- egfr gad glucose "
        "glycemi- glicemi- haemoglobin- hemoglobin- hba hdl hiv- hypert- icd illness impairment "
        "injur- insulin invalid- kreatinin- ldl loinc medicam- medicat- mental mmse moca ndc "
        "outcome patholog- patolog- phq pregnan- prescription- procedure psa rxnorm sick- "
        "sideeffect smok- snomed suicid- surgery symptom- sintom- simptom- test therap- terap- "
        "treatment- triglycerid- tsh tumor- tumour- vaccin- ventilat- viral arznei- "
        "arbeitsunfahig- beatmung- befund- behandlung- behinder- beschwerde- blut- erkrank- "
        "impf- krankheit- krankentage krankmeldung krankenstand laborwert- medikament- "
        "nebenwirkung- pflegegrad pflegestufe rauch- schmerz- schwanger- sucht- verletz- "
        "wirkstoff blessure douleur- enceinte fumeur- grossesse handicap- maladi- posologie "
        "tabac tabagisme traitement- discapac- dolencia dolor embaraz- enfermedad- fumador- "
        "lesion- minusval- tabaquismo tratamiento- tratament- vacun- deficiencia doenca- "
        "farmaco farmacos disabil- dolore incinta malatt- arbeidsongeschikt- beperking bloed- "
        "klachten medicijn- pijn- roker rook- verzuim- ziekmeld- ziekte- zwanger- chorob- ciaza "
        "cisnienie dawka dolegliw- inwalid- leczen- lek leki niepelnospraw- objaw- paleni- "
        "palacy rozpozn- szczepi- leky lieky lecb- liecb- nemoc nemoci nemocensk- ockov- "
        "postizen- postihnut- priznak- tehot- behandling- blodtryk- blodtryck- fortidspension "
        "fravaer funktionsneds- gravid- laegemid- lakemed- medicin- rygning ryger rokare "
        "rokning sjukdom- sjukfranvaro sjukskriv- sygdom- sygefravaer sygemeld- haigus- hoito- "
        "laake- laakk- laakit- mielenterv- oire- raskau- rasedus ravi ravim- rokot- sairau- "
        "tupak- tyokyv- vaktsiin- vamma- verenpain- itsemurh- puue betegseg- dohany- fogyatek- "
        "gyogyszer- kezeles- oltas- rokkant- terhes- tunet- vernyomas- boala boli dizabil- "
        "fumat- sarcin- tensiune bolest bolezen bolezn- cepljen- cijep- kajen- lijek- lijecen- "
        "nosecn- pusen- trudnoc- zdravil- zdravljen- arstes- gydym- liga ligos- negal- nestum- "
        "rukym- slimib- smeke- vaist- zales ασθενεια αλκοολ- αναπηρ- διαγνωσ- εγκυμοσ- εμβολι- "
        "θεραπ- καπνισ- νοσημα- νοσοσ παθησ- συμπτωμ- φαρμακ- алкохол- бремен- ваксин- диагноз- "
        "заболя- инвалид- лекарств- лечени- пушач- симптом- увреждан- galar marda mardi anxiet- "
        "angoiss- ansiedad- ansiedade- ansia angst- angest- szorong- ahdist- arevus- uzkost- "
        "anksioz- αγχ- burnout- stress- bolecin- skausm- fajdalom- durer- kipu- болк- psychol- "
        "psihol- psicol- pszichol- psykol- ψυχολ- психол- karnofsky barthel ecog apgar alive "
        "survival vitalstatus sygedag- sjukdag- bolnisk- tappenz- sairaslom- haigusleh- "
        "zwolnienielek- munkakepes- munkakeptelen- toovoime- erwerbsminder- erwerbsunfahig- "
        "incapacit- incapacid- neigal- darbnesp- nedarbing- нетрудоспос- addict- adicc- "
        "verslav- uzaleznien- zavislost- priklausom- riippuvu- soltuvus- ovisnos- odvisnos- "
        "зависим- εξαρτησ- pain",
    [KN_CONCEPT_MONEY] =
        "allowance- arrears asset- balance benefit- bonus- charge- claim- compensation "
        "copay- cost- -cost credit- debt- debit- deductible- deduction- dividend- earning- "
        "expend- expens- fee fees fica grant income- -income invoice- loan- mortgage- networth "
        "payment- payout -pension premium- profit- reimburs- rent salar- saving- scholarship- "
        "spend- spent stipend- subsid- -tax tax- turnover wage- wealth abzug- ausgabe- "
        "-ausgaben beihilfe- -beihilfe beitrag- bezuge -einkommen einkommen- einkunft- "
        "-einkunfte entgelt- -entgelt entschadigung- erstattung- gebuhr- -gebuhr gehalt- "
        "-gehalt gewinn- guthaben- kosten- -kosten kredit- darlehen- lohn- -lohn miete -miete "
        "pramie- -pramie rente -rente saldo- -schaden schuld- -schulden steuer- -steuer umsatz- "
        "verdienst- vergutung- vermogen- -vermogen zinsen zulage- -zulage zuschuss- -zuschuss "
        "allocation- amende bourse- cotisation- cout- depense- dette- epargne- facture- frais "
        "impot- indemni- loyer- patrimoine prime primes remboursement- retenue- retraite "
        "revenu- salair- solde- affitto ahorro- alquiler- beca becas borsa canone cuota- "
        "despesa- deuda- divida- emprestimo- factura- fatura- fattura- ganancia- gasto- "
        "guadagn- impost- impuesto- indenniz- ingreso- lucro- nomina ordenado patrimoni- "
        "poupanca prestamo- prestit- prima reddit- reembols- remunera- renda rendiment- renta "
        "retencion- retribu- rimbors- risarciment- risparmi- spesa spese sueldo- sussidi- tassa "
        "tasse tribut- belasting- -belasting factuur- huur- inkomen- -inkomen krediet- lening- "
        "loon- -loon omzet- premie- -premie -salaris schade- spaar- toelage toeslag- -toeslag "
        "uitgave- uitkering- -uitkering vergoeding- -vergoeding winst- czynsz- dlug dlugi dlugu "
        "dochod- emerytur- faktur- koszt- kredyt- majat- odszkod- oplat- oszczed- pensj- podat- "
        "pozyczk- premia przychod- skladk- stypend- swiadcz- wydat- wynagrodz- zadluz- zarob- "
        "zasil- zysk- danov- davk- dlh- dluh- duchod- majet- mzd- naklad- najem- najom- nahrad- "
        "odmen- odskod- odvod- plat platy poplat- pozick- prijem prijmy prispev- pujck- uspor- "
        "uver- vydaj- vydav- zisk- zostatok zustatek -avgift avgift- arslon arsindkomst bidrag- "
        "-bidrag dagpeng- ersattning- -ersattning erstatning- -erstatning formogenhet- formue- "
        "gaeld- -gaeld husleje- hyra indkomst- -indkomst inkomst- -inkomst kontanthj- kostnad- "
        "-kostnad loen lonesum- manadslon manedslon bruttolon nettolon omkostning- omsattning- "
        "opsparing- skat- -skat -skatt skuld- -skuld sparande timlon tilskud- -tilskud utgift- "
        "-utgift udgift- -udgift ansio- avustu- -avustus elake- -elake korvau- -korvaus kulu- "
        "kustannu- -kustannus laen- laina- -laina lasku- maksu- -maksu palgad palk palkk- "
        "-palkka -palkkio saasto- sissetulek- toetus- -toetus tootasu- tuki -tuki tulo tulot "
        "-tulot -tulo varallisu- velka- -velka vero verot -vero vola- volg- vuokra- -vuokra "
        "huvitis ado ber bere dij -dij egyenleg- fizetes- hitel- -hitel jarulek- jovedelem- "
        "-jovedelem karterit- kiadas- kolcson- koltseg- -koltseg megtakarit- nyereseg- nyugdij- "
        "osztondij- segely- -segely tamogatas- tartozas- vagyon- alocati- ajutor avere burs- "
        "cheltuiel- chiri- contribut- datori- despagubir- impozit- imprumut- pensi- rambursar- "
        "venit- davek dobit dohod- dolg doprinos- dug dugov- imovin- mirovin- naknad- najamnin- "
        "odstet- placa placila pokojnin- porez- posojil- primanj- prihod- stednj- strosk- "
        "strosek trosak trosk- zajam aizdevum- alga algas atlikum- atlyg- iemaks- ienakum- "
        "imok- islaid- ismok- izdevum- izmaks- kaina kompensac- likut- mokes- nodok- nuom- "
        "pabalst- pajam- parads pasalp- paskol- santaup- turt- uzkraj- αμοιβ- αποζημι- αποταμι- "
        "δανει- δαπαν- εισοδημ- εισφορ- ενοικι- εξοδα επιδομ- κερδ- κοστ- μισθ- περιουσ- "
        "συνταξ- υπολοιπ- υποτροφ- φορο- χρεοσ χρεη възнагражд- данък- данъц- доход- дълг заем- "
        "заплат- кредит- наем- обезщет- осигуров- пенси- печалб- помощ- разход- салдо спестяв- "
        "стипенд- такс- ioncam dhul paga agi ssi vencimento- alapber- jutalom- -palk -makse "
        "priplat-",
    [KN_CONCEPT_AMOUNT] =
        "amount- amt -amt paid price total- -val val value chf czk dkk eur euro euros gbp huf "
        "kc lei pln ron sek usd zl betrag- -betrag preis -preis summe -summe wert -wert "
        "montant- prix somme valeur importe importo precio preco prezzo soma somma suma valor "
        "valore bedrag- -bedrag prijs waarde -waarde cena kwota wartosc castka ciastka hodnota "
        "belob- -belob belopp- -belopp pris summa -summa vaerdi -vaerdi varde -varde arvo -arvo "
        "hinta vaartus ertek -ertek osszeg- -osszeg pret cijena iznos vrednost- vrijednost- "
        "znesek verte vertiba αξια ποσο τιμη сума стойност цена takst instalment- prestacao",
    [KN_CONCEPT_RESULT] =
        "achiev- apprais- assessment- evaluat- evaluac- exam exams gpa grade- iq mark marks "
        "outcome performance points rating result- satisfac- -score sentence- verdict- "
        "beurteilung- bewertung- entscheidung- ergebnis- -ergebnis note noten -note prufung- "
        "-punkte urteil- zufriedenheit- decision- jugement moyenne peine sanction- avalia- "
        "calificac- condann- condena- decisao esame esito giudizio nota notas punteggi- puntos "
        "puntua- pena risultat- sentencia- sentenz- soddisfaz- valutaz- votazione beoordel- "
        "beslissing- cijfer -cijfer oordeel punten straf- tevreden- toets- uitslag- vonnis- "
        "decyzj- egzamin- matur- ocen- punkt- satysfakc- srednia wynik- wyrok- zadowol- "
        "hodnocen- hodnoten- priemer prumer rozhodnut- rozsud- skusk- spokojen- spokojn- trest- "
        "vysled- zkousk- znamk- afgorels- bedomm- bedomn- beslut- betyg- -betyg karakter- nojd- "
        "poang- -poang -straff tentamen tilfreds- arvosan- eksam- hinded hinne karistus- otsus "
        "paatos piste- -pisteet rangaist- tulemus- tulok- tulos -tulos tuomio- tyytyv- "
        "buntetes- dontes- elegedet- eredmeny- -eredmeny ertekeles- itelet- jegy osztalyzat- "
        "pont- -pont -pontszam vizsga- decizi- evaluar- medie pedeaps- punctaj- rezultat- scor- "
        "sentint- bodov- ispit- izpit- kazn- ocjen- odlocit- odluk- presud- tock- zadovolj- "
        "apmierin- atzim- bausm- ivertin- lemum- nuospr- pasitenk- pazym- sods spriedum- "
        "sprendim- vertejum- αποτελεσμ- αποφασ- βαθμ- εξετασ- ικανοπο- ποιν- σκορ изпит- "
        "наказан- оценк- присъд- резултат- решени- точк- удовлетвор- -zufriedenheit -bewertung "
        "-beurteilung -ertekeles teljesitmeny- skoor -skoor -scor risk risiko- -risiko riziko "
        "rizika risco riesgo rischio risque riski kockazat- κινδυν- риск defaulted impago- "
        "incumpr- incumpl- inadimpl- insolven- zahlungsausfall wanbetal- misligh- sankc- "
        "sancion- sanzion- sanctie- sanktion- szankc- sankts- κυρωσ- санкц- rechazo",
    [KN_CONCEPT_BELIEF] =
        "abuse arrest- belief- convict- crim- faith felony harass- homosex- misdemean- offence- "
        "offense- orientation parti party politic- politis- politiqu- politik- polityk- polit "
        "relig- sexual- seksual- seksuaal- sessual- szexual- union violence vote voted voting "
        "delikt- gesinnung gewalt gewerkschaft- glaub- konfess- krimin- partei- straffall- "
        "strafta- vorstraf- condamn- croyan- delit- syndic- creencia credent- creyent- crent- "
        "partido partito reati reato sindaca- sindica- voto delict- geloof godsdienst misdrijf "
        "misdrijv- stemged- vakbond- veroordeel- veroordel- przestep- skazan- wierz- wyznan- "
        "zwiazk- nabozen- odsouz- odsuden- prestup- trestn- viera vyznan- brott- fackf- fagfor- "
        "forbryd- livssyn partiet trossamf- ammattiliit- kurite- puolue rikok- rikos- uskon- "
        "usund- vakaumus buncselek- szakszerv- vallas- credint- infract- partid kazneno kazniv- "
        "sindikat- vjera vjersk- zlocin- veroizp- verska noziegum- nusikalt- partij- ticib- "
        "tikyb- tikej- αδικημ- εγκλημ- θρησκ- κομμα πιστη πολιτικ- σεξουαλ- συνδικ- вероизп- "
        "осъд- партия политич- престъп- религи- сексуал- синдик- creideamh reit recidiv- "
        "reincid- ruckfall- osude osuda osudivan- odsuj- mobbing bullying smurt- nasil- "
        "violenz- violenc- vakivalt- vagival- насили- exekuc- egzekuc- pfandung- vollstreckung- "
        "ulosot- utmatning- kronofogd-",
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
        "site location hospital clinic facility office centre center standort klinik "
        "krankenhaus hopital etablissement clinique clinica ospedale sede ziekenhuis kliniek "
        "locatie szpital klinika nemocnice nemocnica pobocka sjukhus sygehus sairaala "
        "toimipiste haigla slimnica ligonine korhaz telephely spital bolnica bolnisnica "
        "νοσοκομειο κλινικη болница клиника village ward department bundesland gemeinde kreis "
        "landkreis ort wohnort stadt stadtteil ortsteil ville commune departement canton "
        "arrondissement citta comune provincia regione ciudad municipio comunidad localidad "
        "cidade concelho freguesia distrito gemeente stad woonplaats provincie miasto gmina "
        "powiat wojewodztwo mesto obec okres kraj kommune kommun lan kunta kaupunki maakunta "
        "linn vald maakond pilseta novads miestas savivaldybe varos megye telepules oras judet "
        "localitate obcina zupanija grad naselje πολη νομοσ δημοσ περιφερεια град община област "
        "cathair contae belt lokalita kostenstelle kostentrager kostenplaats costcentre "
        "costcenter",
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
