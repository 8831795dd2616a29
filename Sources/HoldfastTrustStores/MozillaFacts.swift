internal import HoldfastDER
internal import HoldfastPaths

// Made by Scripts/extra/root-facts, which says from what. A row is the SHA-256 of a root, what Mozilla trusts it with,
// and its label there.

extension ProgramFacts {
  /// What Mozilla trusts the roots of its program with, by NSS's list of 2026-10-28.
  public static let mozilla = ProgramFacts(
    RootProgram("Mozilla", date: Timestamp("2026-10-28"), source: "NSS builtins 2.92"),
    lines: """
      ebc5570c29018c4d67b1aa127baf12f703b4611ebc17b7dab5573894179b93fa servers AC RAIZ FNMT-RCM
      554153b13d2cf9ddb753bfbe1a4e0ae08d0aa4187058fe60a2b862b2e4b87bcb servers AC RAIZ FNMT-RCM SERVIDORES SEGUROS
      9a6ec012e1a7da9dbe34194d478ad7c0db1822fb071df12981496ed104384113 servers ACCVRAIZ1
      55926084ec963a64b96e2abe01ce0ba86a64fbfebcc7aab5afc155b37fd76066 servers Actalis Authentication Root CA
      0376ab1d54c5f9803ce4b2e201a0ee7eef7b57b636e8a93c9b8d4860c96f5fa7 removed=2.74 AffirmTrust Commercial
      0a81ec5a929777f145904af38d5d509f66b5e2c58fcdb531058b0e17f3f0b41b removed=2.74 AffirmTrust Networking
      70a73f7f376b60074248904534b11482d5bf0e698ecc498df52577ebf2e93b9a removed=2.74 AffirmTrust Premium
      bd71fdf6da97e4cf62d1647add2581b07d79adf8397eb4ecba9c5e8488821423 removed=2.74 AffirmTrust Premium ECC
      8ecde6884f3d87b1125ba31ac3fcb13d7016de7f57cc904fe1cb97c6ae98196e servers Amazon Root CA 1
      1ba5b2aa8c65401a82960118f80bec4f62304d83cec4713a19c39c011ea46db4 servers Amazon Root CA 2
      18ce6cfe7bf14e60b2e347b8dfe868cb31d02ebb3ada271569f50343b46db3a4 servers Amazon Root CA 3
      e35d28419ed02025cfa69038cd623962458da5c695fbdea3c22b0bfb25897092 servers Amazon Root CA 4
      fb8fec759169b9106b1e511644c618c51304373f6c0643088d8beffd1b997599 servers ANF Secure Server Root CA
      f356bea244b7a91eb35d53ca9ad7864ace018e2d35d5f8f96ddf68a6f41aa474 other Atos TrustedRoot 2011
      e38655f4b0190c84d3b3893d840a687e190a256d98052f159e6d4a39f589a6eb other Atos TrustedRoot Root CA ECC G2 2020
      b2fae53e14ccd7ab9212064701ae279c1d8988facb775fa8a008914e663988a8 servers Atos TrustedRoot Root CA ECC TLS 2021
      78833a783bb2986c254b9370d3c20e5eba8fa7840cbf63fe17297a0b0119685e other Atos TrustedRoot Root CA RSA G2 2020
      81a9088ea59fb364c548a6f85559099b6f0405efbf18e5324ec9f457ba00112f servers Atos TrustedRoot Root CA RSA TLS 2021
      04048028bf1f2864d48f9ad4d83294366a828856553f3b14303f90147f5d40ef removed=2.60 Autoridad de Certificacion Firmaprofesional CIF A62634068
      57de0583efd2b26e0361da99da9df4648def7ee8441c3b728afa9bcde0f9b26a servers Autoridad de Certificacion Firmaprofesional CIF A62634068
      16af57a9f676b0ab126095aa5ebadef22ab31119d644ac95cd4b93dbf3f26aeb removed=2.74 Baltimore CyberTrust Root
      f3896f88fe7c0a882766a7fa6ad2749fb57a7f3e98fb769c1fa7b09c2c44d5ae servers BJCA Global Root CA1
      574df6931e278039667b720afdc1600fc27eb66dd3092979fb73856487212882 servers BJCA Global Root CA2
      9a114025197c5bb95d94e63d55cd43790847b646b23cdf11ada4a00eff15fb48 servers Buypass Class 2 Root CA
      edf7ebbca27a2a384d387b7d4010c666e2edb4843e4c29b4ae1d5b9332e6b24d servers Buypass Class 3 Root CA
      e23d4a036d7b70e9f595b1422079d2b91edfbb1fb651a0633eaa8a9dc5f80703 servers CA Disig Root R2
      0c258a12a5674aef25f28ba7dcfaeceea348e541e6f5cc4ee63b71b361606ac3 removed=2.60 Camerfirma Chambers of Commerce Root
      b4585f22e4ac756a4e8612a1361c5d9d031a93fd84febb778fa3068b0fc42dc2 servers Certainly Root E1
      77b82cd8644c4305f7acc5cb156b45675004033d51c60c6202a8e0c33467d3a0 servers Certainly Root R1
      e3b6a2db2ed7ce48842f7ac53241c7b71d54144bfb40c11f3f1d0b42f5eea12d other Certigna
      d48d3d23eedb50a459e55197601c27774b9d7b18c94d5a059511a10250b93168 servers Certigna Root CA
      eaa962c4fa4a6bafebe415196d351ccd888d4f53f3fa8ae6d7c466a94e6042bb removed=2.74 certSIGN ROOT CA
      657cfe2fa73faa38462571f332a2363a46fce7020951710702cdfbb6eeda3305 servers certSIGN Root CA G2
      6b328085625318aa50d173c98d8bda09d57e27413d114cf787a0f5d06c030cf6 servers Certum EC-384 CA
      d8e0febc1db2e38d00940f37d27d41344d993e734b99d5656d9778d4d8143624 other Certum Root CA
      5c58468d55f58e497e743982d2b50010b6d165374acf83a7d4a32db768c4408e servers Certum Trusted Network CA
      b676f2eddae8775cd36cb0f63cd1d4603961f49e6265ba013a2f0307b6d0b804 servers Certum Trusted Network CA 2
      fe7696573855773e37a95e7ad4d9cc96c30157c15d31765ba9b15704e1ae78fd servers Certum Trusted Root CA
      5cc3d78e4e1d5e45547a04e6873e64f90cf9536d1ccc2ef800f355c4c5fd70fd servers CFCA EV ROOT
      063e4afac491dfd332f3089b8542e94617d893d7fe944e10a7937ee29d9693c0 removed=2.60 Chambers of Commerce Root - 2008
      11437cda7bb45e41365f45b39a38986b0de00def348e0c7bb0873633800bc38b removed=2.74 CommScope Public Trust ECC Root-01
      2ffb7f813bbbb3c89ab4e8162d0f16d71509a830cc9d73c262e5140875d1ad4a removed=2.74 CommScope Public Trust ECC Root-02
      02bdf96e2a45dd9bf18fc7e1dbdf21a0379ba3c9c2610344cfd8d606fec1ed81 removed=2.74 CommScope Public Trust RSA Root-01
      ffe943d793424b4f7c440c1c3d648d5363f34b82dc87aa7a9f118fc5dee101f1 removed=2.74 CommScope Public Trust RSA Root-02
      d7a7a0fb5d7e2731d771e9484ebcdef71d5f0c3e0a2948782bc83ee0ea699ef4 other Comodo AAA Services root
      0c2cd63df7806fa399ede809116b575bf87989f06518f9808c860503178baf66 other COMODO Certification Authority
      1793927a0614549789adce2f8f34f7f0b66d0f3ae3a3b84d21ec15dbba4fadc7 servers COMODO ECC Certification Authority
      52f0e1c4e58ec629291b60317f074671b85d7ea80d5b07273463534b32b40234 servers COMODO RSA Certification Authority
      e59aaa816009c22bff5b25bad37df306f049797c1f81d85ab089e657bd8f0044 servers D-TRUST BR Root CA 1 2020
      0552e6f83fdf65e8fa9670e666df28a4e21340b510cbe52566f97c4fb94b2bd1 servers D-TRUST BR Root CA 2 2023
      08170d1aa36453901a2f959245e347db0c8d37abaabc56b81aa100dc958970db servers D-TRUST EV Root CA 1 2020
      8e8221b2e7d4007836a1672f0dcc299c33bc07d316f132fa1a206d587150f1ce servers D-TRUST EV Root CA 2 2023
      a1a86d04121eb87f027c66f53303c28e5739f943fc84b38ad6af009035dd9457 other D-TRUST Root CA 3 2013
      49e7a442acf0ea6287050054b52564b650e4f49e42e348d6aa38e039e957b1c1 servers D-TRUST Root Class 3 CA 2 2009
      eec5496b988ce98625b934092eec2908bed0b0f316c2d4730c84eaf1f3d34881 servers D-TRUST Root Class 3 CA 2 EV 2009
      d92c171f5cf890ba428019292927fe22f3207fd2b54449cb6f675af4922146e2 other D-Trust SBR Root CA 1 2022
      dba84dd7ef622d485463a90137ea4d574df8550928f6afa03b4d8b1141e636cc other D-Trust SBR Root CA 2 2022
      3e9099b5015e8f486c00bcea9d111ee721faba355a89bcf1df69561e3dc6325c other DigiCert Assured ID Root CA
      7d05ebb682339f8c9451ee094eebfefa7953a114edb2f44949452fab7d2fc185 servers DigiCert Assured ID Root G2
      7e37cb8b4c47090cab36551ba6f45db840680fba166a952db100717f43053fc2 servers DigiCert Assured ID Root G3
      4348a0e9444c78cb265e058d5e8944b4d84f9662bd26db257f8934a443c70161 other DigiCert Global Root CA
      cb3ccbb76031e5e0138f8dd39a23f9de47ffc35e43c1144cea27d46a5ab1cb5f servers DigiCert Global Root G2
      31ad6648f8104138c738f39ea4320133393e3a18cc02296ef97c2ac9ef6731d0 servers DigiCert Global Root G3
      7431e5f4c3c1ce4690774f0b61e05440883ba9a01ed00ba6abd7806ed3b118cf other DigiCert High Assurance EV Root CA
      e8e8176536a60cc2c4e10187c3befca20ef263497018f566d5bea0f94d0c111b other DigiCert SMIME ECC P384 Root G5
      90370d3efa88bf58c30105ba25104a358460a7fa52dfc2011df233a0f417912a other DigiCert SMIME RSA4096 Root G5
      018e13f0772532cf809bd1b17281867283fc48c6e13be9c69812854a490c1b05 servers DigiCert TLS ECC P384 Root G5
      371a00dc0533b3721a7eeb40e8419e70799d2b0a0f2c1d80693165f7cec4ad75 servers DigiCert TLS RSA4096 Root G5
      552f7bdcf1a7af9e6ce672017f4f12abf77240c78e761ac203d1d9d20ac89988 servers DigiCert Trusted Root G4
      261d7114ae5f8ff2d8c7209a9de4289e6afc9d717023d85450909199f1857cfe other DIGITALSIGN GLOBAL ROOT ECDSA CA
      82bd5d851acf7f6e1ba7bfcbc53030d0e7bc3c21df772d858cab41d199bdf595 other DIGITALSIGN GLOBAL ROOT RSA CA
      beb00b30839b9bc32c32e4447905950641f26421b15ed089198b518ae2ea1b99 servers e-Szigno Root CA 2017
      b49141502d00663d740f2e7ec340c52800962666121a36d09cf7dd2b90384fb4 servers e-Szigno TLS Root CA 2023
      b0bfd52bb0d7d9bd92bf5d4dc13da255c02c542f378365ea893911f55e55f23c removed=2.60 E-Tugra Certification Authority
      873f4685fa7f563625252e6d36bcd7f16fc24951f264e47e1b954f4908cdca13 removed=2.60 E-Tugra Global Root CA ECC v3
      ef66b0b10a3cdb9f2e3648c76bd2af18ead2bfe6f117655e28c4060da1a3f4c2 removed=2.60 E-Tugra Global Root CA RSA v3
      bc4d809b15189d78db3e1d8cf4f9726a795da1643ca5f1358e1ddb0edc0d7eb3 removed=2.74 emSign ECC Root CA - C3
      86a1ecba089c4a8d3bbe2734c612ba341d813e043cf9e8a862cd5c57a36bbe6b removed=2.74 emSign ECC Root CA - G3
      125609aa301da0a249b97a8239cb6a34216f44dcac9f3954b14292f2e8c8608f removed=2.74 emSign Root CA - C1
      40f6af0346a99aa1cd1d555a4e9cce62c7f9634603ee406615833dc8c8d00367 servers emSign Root CA - G1
      73c176434f1bc6d5adf45b0e76e727287c8de57616c1e6e6141a2b2cbc7d8e4c removed=2.74 Entrust Root Certification Authority
      02ed0eb28c14da45165c566791700d6451d7fb56f0b2ab1d3b8eb070e56edff5 other=2024-11-30T23:59:59Z Entrust Root Certification Authority - EC1
      43df5774b03e7fef5fe40d931a7bedf1bb2e6b42738c4e6d3841103d3aa7f339 other=2024-11-30T23:59:59Z Entrust Root Certification Authority - G2
      db3517d1f6732a2d5ab97c533ec70779ee3270a62fb4ac4238372460e6f01e88 other Entrust Root Certification Authority - G4
      6dc47172e01cbcb0bf62580d895fe2b8ac9ad4f873801e0c10b9c837d21eb177 other=2024-11-30T23:59:59Z Entrust.net Premium 2048 Secure Server CA
      c0a6f4dc63a24bfdcf54ef2a6a082a0a72de35803e2ff5ff527ae5d87206dfd5 removed=2.74 ePKI Root Certification Authority
      9187a8d3b4b711dd51f53c2fd29041cf7c7b9535329556bfc9c706f38db0f81a removed=2.74 Explicitly Distrust DigiNotar Root CA
      bef256daf26e9c69bdec1602359798f3caf71821a03e018257c53c65617f3d4a removed=2.74 FIRMAPROFESIONAL CA ROOT-A WEB
      bfff8fd04433487d6a8aa60c1a29767a9fc2bbb05e420f713a13b992891d3893 servers GDCA TrustAUTH R5 ROOT
      136335439334a7698016a0d324de72284e079d7b5220bb8fbd747816eebebaca removed=2.60 Global Chambersign Root - 2008
      b085d70b964f191a73e4af0d54ae7a0e07aafdaf9b71dd0862138ab7325a24a2 servers GlobalSign ECC Root CA - R4
      179fbc148a3dd00fd24ea13458cc43bfa7f59c8182d783a513f6ebec100c8924 servers GlobalSign ECC Root CA - R5
      ebd41040e4bb3ec742c9e381d31ef2a41a48b6685c96e7cef3c1df6cd4331c99 other GlobalSign Root CA
      cbb522d7b7f127ad6a0113865bdf1cd4102e7d0759af635a7cf4720dc963c53b servers GlobalSign Root CA - R3
      2cabeafe37d06ca22aba7391c0033d25982952c453647349763a3ab5ad6ccf69 servers GlobalSign Root CA - R6
      cbb9c44d84b8043e1050ea31a69f514955d7bfd2e2c6b49301019ad61d9f5058 servers GlobalSign Root E46
      4fa3126d8d3a11d1c4855a4f807cbad6cf919d3a5a88b03bea2c6372d93c40c9 servers GlobalSign Root R46
      5cbf6fb81fd417ea4128cd6f8172a3c9402094f74ab2ed3a06b4405d04f30b19 other GlobalSign Secure Mail Root E45
      319af0a7729e6f89269c131ea6a3a16fcd86389fdcab3c47a4a675c161a3f974 other GlobalSign Secure Mail Root R45
      9a296a5182d1d451a2e37f439b74daafa267523329f90f9a0d2007c334e23c9a removed=2.74 GLOBALTRUST 2020
      c3846bf24b9e93ca64274c0ec67c1ecc5e024ffcacd2d74019350e81fe546ae4 other Go Daddy Class 2 CA
      45140b3247eb9cc8c5b4f0d7b53091f73292089e6e5a63e2749dd3aca9198eda servers Go Daddy Root Certificate Authority - G2
      d947432abde7b7fa90fc2e6b59101b1280e0e1c7e4e40fa3c6887fff57a7f4cf servers GTS Root R1
      8d25cd97229dbf70356bda4eb3cc734031e24cf00fafcfd32dc76eb5841c7ea8 other GTS Root R2
      34d8a73ee208d9bcdb0d956520934b4e40e69482596e8b6f73c8426b010a6f48 servers GTS Root R3
      349dfa4058c5e263123b398ae795573c4e1313c83fe68f93556cd5e8031b3c7d servers GTS Root R4
      8dd4b5373cb0de36769c12339280d82746b3aa6cd426e797a31babe4279cf00b other HARICA Client ECC Root CA 2021
      1be7abe30686b16348afd1c61b6866a0ea7f4821e67d5e8af937cf8011bc750d other HARICA Client RSA Root CA 2021
      3f99cc474acfce4dfed58794665e478d1547739f2e780f1bb4ca9b133097d401 servers HARICA TLS ECC Root CA 2021
      d95d0e8eda79525bf9beb11b14d2100d3294985f0c62d9fabd9cd999eccb7b1d servers HARICA TLS RSA Root CA 2021
      44b545aa8a25e65a73ca15dc27fc36d24c1cb9953a066539b11582dc487b4833 servers Hellenic Academic and Research Institutions ECC RootCA 2015
      a040929a02ce53b4acf4f2ffc6981ce4496f755e6d45fe0b2a692bcd52523f36 servers Hellenic Academic and Research Institutions RootCA 2015
      f015ce3cc239bfef064be9f1d2c417e1a0264a0a94be1f0c8d121864eb6949cc servers HiPKI Root CA - G1
      f9e67d336c51002ac054c632022d66dda2e7e3fff10ad061ed31d8bbb410cfb2 removed=2.60 Hongkong Post Root CA 1
      5a2fc03f0c83b090bbfa40604b0988446c7636183df9846e17101a447fb8efd6 servers Hongkong Post Root CA 3
      5d56499be4d2e08bcfcad08a3e38723d50503bde706948e42f55603019e528ae servers IdenTrust Commercial Root CA 1
      30d0895a9a448a262091635522d1f52010b5867acae12c78ef958fd4f4389f2f servers IdenTrust Public Sector Root CA 1
      96bcec06264976f37460779acf28c5a7cfe8a3c0aae11a8ffcee05c0bddf08c6 servers ISRG Root X1
      69729b8e15a86efc177a57afb7171dfc64add28c2fca8cf1507e34453ccb1470 servers ISRG Root X2
      2530cc8e98321502bad96f9b1fba1b099e2d299e0f4548bb914f363bc0d4531f until=2026-04-15T23:59:59Z Izenpe.com
      48e1cf9e43b688a51044160f46d773b8277fe45beaad0e4df90d1974382fea99 other LAWtrust Root CA2 (4096)
      3c5f81fea5fab82c64bfa2eaecafcde8e077fc8620a7cae537163df36edbf378 servers Microsec e-Szigno Root CA 2009
      358df39d764af9e1b766e9c972df352ee15cfac227af6ad1d70e8e4a6edcba02 servers Microsoft ECC Root Certificate Authority 2017
      c741f70f4b2a8d88bf2e71c14122ef53ef10eba0cfa5e64cfa20f418853073e0 servers Microsoft RSA Root Certificate Authority 2017
      88f438dcf8ffd1fa8f429115ffe5f82ae1e06e0c70c375faad717b34a49e7265 servers NAVER Global Root Certification Authority
      6c61dac3a2def031506be036d2a6fe401994fbd13df9c8d466599274c446ec98 servers NetLock Arany (Class Gold) Főtanúsítvány
      d9a32485a8cca85539cef12fffff711378a17851d73da2732ab4302d763bd62b other OISTE Client Root ECC G1
      d02a0f994a868c66395f2e7a880df509bd0c29c96de16015a0fd501eda4f96a9 other OISTE Client Root RSA G1
      eec997c0c30f216f7e3b8b307d2bae42412d753fc8219dafd1520b2572850f49 servers OISTE Server Root ECC G1
      9ae36232a5189ffddb353dfd26520c015395d22777dac59db57b98c089a651e6 servers OISTE Server Root RSA G1
      41c923866ab4cad6b7ad578081582e020797a6cbdf4fff78ce8396b38937d7f5 other OISTE WISeKey Global Root GA CA
      6b9c08e86eb0f767cfad65cd98b62149e5494a67f5845e7bd1ed019f27b86bd6 servers OISTE WISeKey Global Root GB CA
      8560f91c3624daba9570b5fea0dbe36ff11a8323be9486854fb3f34a5571198d servers OISTE WISeKey Global Root GC CA
      8a866fd1b276b57e578e921c65828a2bed58e9f2f288054134b7f1f4bfc9cc74 servers QuoVadis Root CA 1 G3
      85a0dd7dd720adb7ff05f83d542b209dc7ff4528f7d677b18389fea5e5c49e86 other QuoVadis Root CA 2
      8fe4fb0af93a4d0d67db0bebb23e37c71bf325dcbcdd240ea04daf58b47e1840 servers QuoVadis Root CA 2 G3
      18f1fc7f205df8adddeb7fe007dd57e3af375a9c4d8d73546bf4f1fed1e18d35 other QuoVadis Root CA 3
      88ef81de202eb018452e43f864725cea5fbd1fc2d9d205730709c5d8b8690f46 servers QuoVadis Root CA 3 G3
      3629e7188e00a7cb3232c4426bc84912f1218b1a9ae676c0b0abe1dbfe2182b5 other SECOM SMIME RSA Root CA 2024
      6ab2ab75f51cb4f4f0156203fbf6f646232f514be059f62833308b82b4d72db1 servers SECOM TLS ECC Root CA 2024
      1435f225c5d252d7a21948cc3ce62aecfa88001e3dd72d1cc3555100eb372f93 servers SECOM TLS RSA Root CA 2024
      22d9599234d60f1d4bc7c7e96f43fa555b07301fd475175089dafb8c25e477b3 other Sectigo Public Email Protection Root E46
      d5917a7791eb7cf20a2e57eb98284a67b28a57e89182da53d546678c9fde2b4f other Sectigo Public Email Protection Root R46
      c90f26f0fb1b4018b22227519b5ca2b53e2ca5b3be5cf18efe1bef47380c5383 servers Sectigo Public Server Authentication Root E46
      7bb647a62aeeac88bf257aa522d01ffea395e0ab45c73f93f65654ec38f25a06 servers Sectigo Public Server Authentication Root R46
      4200f5043ac8590ebb527d209ed1503029fbcbd41ca1b506ec27f15ade7dac69 removed=2.74 Secure Global CA
      3f034bb5704d44b2d08545a02057de93ebf3905fce721acbc730c06ddaee904e removed=2.74 SecureSign Root CA12
      4b009c1034494f9ab56bba3ba1d62731fc4d20d8955adcec10a925607261e338 servers SecureSign Root CA14
      e778f0f095fe843729cd1a0082179e5314a9c291442805e1fb1d8fb6b8886c3a servers SecureSign Root CA15
      4c1ccd24f17e950fc18536b33cafe32293cfc33e8467b41e1c693055d7f513bf other SecureSign Root CA16
      bf0feefb9e3a581ad5f9e9db7589985743d261085c4d314f6f5d7259aa421612 removed=2.60 SecureSign RootCA11
      f1c1b50ae5a20dd8030ec9f6bc24823dd367b5255759b4e71b61fce9f7375d73 removed=2.74 SecureTrust CA
      e74fbda55bd564c473a36b441aa799c8a68e077440e8288b9fa1e50e4bbaca11 servers Security Communication ECC RootCA1
      e75e72ed9f560eec6eb4800073a43fc3ad19195a392282017895974a99026b6c removed=2.60 Security Communication Root CA
      513b2cecb810d4cde5dd85391adfc6c2dd60d87bb736d2b521484aa47a0ebef6 servers Security Communication RootCA2
      24a55c2ab051442d0617766541239a4ad032d7c55175aa34ffde2fbc4f5c5294 removed=2.60 Security Communication RootCA3
      ad7dd58d03aedb22a30b5084394920ce12230c2d8017ad9b81ab04079bdd026b other SSL.com Client ECC Root CA 2022
      1d4ca4a2ab21d0093659804fc0eb2175a617279b56a2475245c9517afeb59153 other SSL.com Client RSA Root CA 2022
      22a2c1f7bded704cc1e701b5f408c310880fe956b5de2a4a44f99c873a25a7c8 servers SSL.com EV Root Certification Authority ECC
      2e7bf16cc22485a7bbe2aa8696750761b0ae39be3b2fe9d0cc6d4ef73491425c servers SSL.com EV Root Certification Authority RSA R2
      3417bb06cc6007da1b961c920b8ab4ce3fad820e4aa30b9acbc4a74ebdcebc65 servers SSL.com Root Certification Authority ECC
      85666a562ee0be5ce925c1d8890a6f76a87ec16d4d7d5f29ea7419cf20123b69 servers SSL.com Root Certification Authority RSA
      c32ffd9f46f936d16c3673990959434b9ad60aafbb9e7cf33654f144cc1ba143 servers SSL.com TLS ECC Root CA 2022
      8faf7d2e2cb4709bb8e0b33666bf75a5dd45b5de480f8ea8d4bfe6bebc17f2ed servers SSL.com TLS RSA Root CA 2022
      3c4fb0b95ab8b30032f432b86f535fe172c185d0fd39865837cf36187fa6f428 other Staat der Nederlanden Root CA - G3
      1465fa205397b876faa6f0a9958e5590e40fcc7faa4fb7c2c8677521fb5fb658 other Starfield Class 2 CA
      2ce1cb0bf9d2f9e102993fbe215152c3b2dd0cabde1c68e5319b839154dbb7f5 servers Starfield Root Certificate Authority - G2
      568d6905a2c88708a4b3025190edcfedb1974a606a13c6e5290fcb2ae63edab5 servers Starfield Services Root Certificate Authority - G2
      62dd0be9b9f50a163ea0f8e75c053b1eca57ea55c8688f647c6881f2c8357b95 other SwissSign Gold CA - G2
      9a12c392bfe57891a0c545309d4d9fd567e480cb613d6342278b195c79a7931f other SwissSign RSA SMIME Root CA 2022 - 1
      193144f431e0fddb740717d4de926a571133884b4360d30e272913cbe660ce41 servers SwissSign RSA TLS Root CA 2022 - 1
      be6c4da2bbb9ba59b6f3939768374246c3c005993fa98f020d1dedbed48a81d5 removed=2.60 SwissSign Silver CA - G2
      9d190b2e314566685be8a889e27aa8c7d7ae1d8aaddba3c1ecf9d24863cd34b9 removed=2.60 Symantec Class 1 Public Primary Certification Authority - G6
      cb627d18b58ad56dde331a30456bc65c601a4e9b18dedcea08e7daaa07815ff0 removed=2.60 Symantec Class 2 Public Primary Certification Authority - G6
      a1339d33281a0b56e557d3d32b1ce7f9367eb094bd5fa72a7e5004c8ded7cafe servers SZAFIR ROOT CA2
      91e2f5788d5810eba7ba58737de1548a8ecacd014598bc0b143e041b17052552 servers T-TeleSec GlobalRoot Class 2
      fd73dad31c644ff1b43bef0ccdda96710b9cd9875eca7e31707af3e96d522bbd servers T-TeleSec GlobalRoot Class 3
      3ae6df7e0d637a65a8c81612ec6f9a142f85a16834c10280d88e707028518755 other Telekom Security SMIME ECC Root 2021
      78a656344f947e9cc0f734d9053d32f6742086b6b9cd2cae4fae1a2e4efde048 other Telekom Security SMIME RSA Root 2023
      578af4ded0853f4e5998db4aeaf9cbea8d945f60b620a38d1a3c13b2bc7ba8e1 servers Telekom Security TLS ECC Root 2020
      efc65cadbb59adb6efe84da22311b35624b71b3b1ea0da8b6655174ec8978646 servers Telekom Security TLS RSA Root 2023
      3682228d7d678b571440cf1cb34e69fb4135fd6c2a1be38e14163b711e02ae01 other Telia EC Email Root CA v3
      098e08a91dbbf77478b96cceb89b1413a5da37b7c862606a955deb07179f4326 servers Telia EC TLS Root CA v3
      242b69742fcb1e5b2abf98898b94572187544e5b4d9911786573621f6a74b82c servers Telia Root CA v2
      5b0c502a7d963ba55217396fda9b3dc78171000aeeff42cecc3a20a7938163e8 other Telia RSA Email Root CA v3
      d13db1294c45ebc6fc86c6bbf69fa29bdfe692dff7c713c243c7a956c6a2284c servers Telia RSA TLS Root CA v3
      dd6936fe21f8f077c123a1a521c12224f72255b73e03a7260693e8a24b0fa389 removed=2.74 TeliaSonera Root CA v1
      e0d3226aeb1163c2e48ff9be3b50b4c6431be7bb1eacc5c36b5d5ec509039a08 servers TrustAsia Global Root CA G3
      be4b56cb5056c0136a526df444508daa36a0b54f42e4ac38f72af470e479654c servers TrustAsia Global Root CA G4
      436472c1009a325c54f1a5bbb5468a7baeeccbe05de5f099cb70d3fe41e13c16 other TrustAsia SMIME ECC Root CA
      c7796beb62c101bb143d262a7c96a0c6168183223ef50d699632d86e03b8cc9b other TrustAsia SMIME RSA Root CA
      c0076b9ef0531fb1a656d67c4ebe97cd5dbaa41ef44598acc2489878c92d8711 servers TrustAsia TLS ECC Root CA
      06c08d7dafd876971eb1124fe67f847ec0c7a158d3ea53cbe940e2ea9791f4c3 servers TrustAsia TLS RSA Root CA
      5a885db19c01d912c5759388938cafbbdf031ab2d48e91ee15589b42971d039c removed=2.60 TrustCor ECA-1
      d40e9c86cd8fe468c1776959f49ea774fa548684b6c406f3909261f4dce2575c removed=2.60 TrustCor RootCert CA-1
      0753e940378c1bd5e3836e395daea5cb839e5046f1bd0eae1951cf10fec7c965 removed=2.60 TrustCor RootCert CA-2
      97552015f5ddfc3c8788c006944555408894450084f100867086bc1a2bb58dc8 removed=2.74 Trustwave Global Certification Authority
      945bbc825ea554f489d1fd51a73ddf2ea624ac7019a05205225c22a78ccfa8b4 removed=2.74 Trustwave Global ECC P256 Certification Authority
      55903859c8c0c3ebb8759ece4e2557225ff5758bbd38ebd48276601e1bd58097 removed=2.74 Trustwave Global ECC P384 Certification Authority
      46edc3689046d53a453fb3104ab80dcaec658b2660ea1629dd7e867990648716 below=tr TUBITAK Kamu SM SSL Kok Sertifikasi - Surum 1
      2e44102ab58cb85419451c8e19d9acf3662cafbc614b6a53960a30f7d0e2eb41 servers TunTrust Root CA
      3f63bb2814be174ec8b6439cf08d6d56f0b7c405883a5648a334424d6b3ec558 servers TWCA CYBER Root CA
      59769007f7685d0fcd50872f9f95d5755a5b2b457d81f3692b610a98672f0e1b servers TWCA Global Root CA
      3a0072d49ffc04e996c59aeb75991d3c340f3615d6fd4dce90ac0b3d88ead4f4 other TWCA Global Root CA G2
      bfd88fe1101c41ae3e801bf8be56350ee9bad1a6b9bd515edc5c6d5b8711ac44 servers TWCA Root Certification Authority
      d43af9b35473755c9684fc06d7d8cb70ee5c28e773fb294eb41ee71722924d24 servers UCA Extended Validation Root
      9bea11c976fe014764c1be56a6f914b5a560317abd9988393382e5161aa0493c servers UCA Global G2 Root
      4ff460d54b9c86dabfbcfc5712e0400d2bed3fbc4d4fbdaa86e06adcd2a9ad7a servers USERTrust ECC Certification Authority
      e793c9b02fd8aa13e21c31228accb08119643b749c898964b1746d46c3d4cbd2 servers USERTrust RSA Certification Authority
      cbb5af185e942a2402f9eacbc0ed5bb876eea3c1223623d00447e4f3ba554b65 removed=2.60 Verisign Class 1 Public Primary Certification Authority - G3
      92a9d9833fe1944db366e8bfae7a95b6480c2d6c6c2a1be65d4236b608fca1bb removed=2.60 Verisign Class 2 Public Primary Certification Authority - G3
      30fbba2c32238e2a98547af97931e550428b9b3f1c8eeb6633dcfa86c5b27dd3 servers vTrus ECC Root CA
      8a71de6559336f426c26e53880d00d88a18da4c6a91f0dcb6194e206c5c96387 servers vTrus Root CA
      cecddc905099d8dadfc5b1d209b737cbe2c18cfb2c10c0ff0bcf0d3286fc1aa2 removed=2.74 XRamp Global CA Root
      """)
}
