/* country.c - ISO 3166-1 codes, by the regions and sub-regions of the United Nations (M49). Added
 * are EL and UK, which statistics of the EU use for Greece and the United Kingdom, and XK. */
#include "hierarchy/packs/packs.h"

#include <string.h>

static const struct {
    const char *region, *sub_region, *codes; /* codes: each between blanks */
} regions[] = {
    {"Africa", "Northern Africa", " DZ DZA EG EGY LY LBY MA MAR SD SDN TN TUN EH ESH "},
    {"Africa", "Eastern Africa",
     " IO IOT BI BDI KM COM DJ DJI ER ERI ET ETH TF ATF KE KEN MG MDG MW MWI MU MUS YT MYT MZ MOZ RE "
     "REU RW RWA SC SYC SO SOM SS SSD UG UGA TZ TZA ZM ZMB ZW ZWE "},
    {"Africa", "Middle Africa", " AO AGO CM CMR CF CAF TD TCD CG COG CD COD GQ GNQ GA GAB ST STP "},
    {"Africa", "Southern Africa", " BW BWA SZ SWZ LS LSO NA NAM ZA ZAF "},
    {"Africa", "Western Africa",
     " BJ BEN BF BFA CV CPV CI CIV GM GMB GH GHA GN GIN GW GNB LR LBR ML MLI MR MRT NE NER NG NGA SH "
     "SHN SN SEN SL SLE TG TGO "},
    {"Americas", "Caribbean",
     " AI AIA AG ATG AW ABW BS BHS BB BRB BQ BES VG VGB KY CYM CU CUB CW CUW DM DMA DO DOM GD GRD GP "
     "GLP HT HTI JM JAM MQ MTQ MS MSR PR PRI BL BLM KN KNA LC LCA MF MAF VC VCT SX SXM TT TTO TC TCA "
     "VI VIR "},
    {"Americas", "Central America", " BZ BLZ CR CRI SV SLV GT GTM HN HND MX MEX NI NIC PA PAN "},
    {"Americas", "South America",
     " AR ARG BO BOL BV BVT BR BRA CL CHL CO COL EC ECU FK FLK GF GUF GY GUY PY PRY PE PER GS SGS SR "
     "SUR UY URY VE VEN "},
    {"Americas", "Northern America", " BM BMU CA CAN GL GRL PM SPM US USA "},
    {"Antarctica", "Antarctica", " AQ ATA "},
    {"Asia", "Central Asia", " KZ KAZ KG KGZ TJ TJK TM TKM UZ UZB "},
    {"Asia", "Eastern Asia", " CN CHN HK HKG MO MAC KP PRK JP JPN MN MNG KR KOR TW TWN "},
    {"Asia", "South-eastern Asia",
     " BN BRN KH KHM ID IDN LA LAO MY MYS MM MMR PH PHL SG SGP TH THA TL TLS VN VNM "},
    {"Asia", "Southern Asia", " AF AFG BD BGD BT BTN IN IND IR IRN MV MDV NP NPL PK PAK LK LKA "},
    {"Asia", "Western Asia",
     " AM ARM AZ AZE BH BHR CY CYP GE GEO IQ IRQ IL ISR JO JOR KW KWT LB LBN OM OMN QA QAT SA SAU PS "
     "PSE SY SYR TR TUR AE ARE YE YEM "},
    {"Europe", "Eastern Europe",
     " BY BLR BG BGR CZ CZE HU HUN PL POL MD MDA RO ROU RU RUS SK SVK UA UKR "},
    {"Europe", "Northern Europe",
     " AX ALA DK DNK EE EST FO FRO FI FIN GG GGY IS ISL IE IRL IM IMN JE JEY LV LVA LT LTU NO NOR SJ "
     "SJM SE SWE GB GBR UK "},
    {"Europe", "Southern Europe",
     " AL ALB AD AND BA BIH HR HRV GI GIB GR GRC EL VA VAT IT ITA MT MLT ME MNE MK MKD PT PRT SM SMR "
     "RS SRB SI SVN ES ESP XK "},
    {"Europe", "Western Europe",
     " AT AUT BE BEL FR FRA DE DEU LI LIE LU LUX MC MCO NL NLD CH CHE "},
    {"Oceania", "Australia and New Zealand", " AU AUS CX CXR CC CCK HM HMD NZ NZL NF NFK "},
    {"Oceania", "Melanesia", " FJ FJI NC NCL PG PNG SB SLB VU VUT "},
    {"Oceania", "Micronesia", " GU GUM KI KIR MH MHL FM FSM NR NRU MP MNP PW PLW UM UMI "},
    {"Oceania", "Polynesia",
     " AS ASM CK COK PF PYF NU NIU PN PCN WS WSM TK TKL TO TON TV TUV WF WLF "},
};

bool kn__country_path(kn_pack_path *out, const char *text, size_t len)
{
    char code[6] = " ";

    if (len != 2 && len != 3) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        const char c = (char)(text[i] >= 'a' && text[i] <= 'z' ? text[i] - 'a' + 'A' : text[i]);
        if (c < 'A' || c > 'Z') {
            return false;
        }
        code[1 + i] = c;
    }
    code[1 + len] = ' ';
    for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
        if (strstr(regions[i].codes, code)) {
            kn__pack_label(out, 0, regions[i].sub_region, strlen(regions[i].sub_region));
            kn__pack_label(out, 1, regions[i].region, strlen(regions[i].region));
            out->count = 2;
            return true;
        }
    }
    return false;
}
