//! rustls-webpki with ring, through its public API: cargo run --release -- SUITE VERSION
//!
//! It validates TLS servers and clients; of a client it knows no names. It is given no CRLs.

use ring::{digest, signature};
use rustls_pki_types::{
    alg_id, AlgorithmIdentifier, CertificateDer, InvalidSignature, ServerName, SignatureVerificationAlgorithm, TrustAnchor, UnixTime,
};
use serde_json::{json, Value};
use std::time::{Duration, Instant};
use webpki::{anchor_from_trusted_cert, EndEntityCert, Error, KeyUsage};

/// What ring verifies, as its own glue for newer versions of ring does.
#[derive(Debug)]
struct Verifier(AlgorithmIdentifier, AlgorithmIdentifier, &'static dyn signature::VerificationAlgorithm);

impl SignatureVerificationAlgorithm for Verifier {
    fn verify_signature(&self, key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), InvalidSignature> {
        signature::UnparsedPublicKey::new(self.2, key).verify(message, signature).map_err(|_| InvalidSignature)
    }
    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        self.0
    }
    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        self.1
    }
}

static ALGORITHMS: &[&dyn SignatureVerificationAlgorithm] = &[
    &Verifier(alg_id::ECDSA_P256, alg_id::ECDSA_SHA256, &signature::ECDSA_P256_SHA256_ASN1),
    &Verifier(alg_id::ECDSA_P256, alg_id::ECDSA_SHA384, &signature::ECDSA_P256_SHA384_ASN1),
    &Verifier(alg_id::ECDSA_P384, alg_id::ECDSA_SHA256, &signature::ECDSA_P384_SHA256_ASN1),
    &Verifier(alg_id::ECDSA_P384, alg_id::ECDSA_SHA384, &signature::ECDSA_P384_SHA384_ASN1),
    &Verifier(alg_id::ED25519, alg_id::ED25519, &signature::ED25519),
    &Verifier(alg_id::RSA_ENCRYPTION, alg_id::RSA_PKCS1_SHA256, &signature::RSA_PKCS1_2048_8192_SHA256),
    &Verifier(alg_id::RSA_ENCRYPTION, alg_id::RSA_PKCS1_SHA384, &signature::RSA_PKCS1_2048_8192_SHA384),
    &Verifier(alg_id::RSA_ENCRYPTION, alg_id::RSA_PKCS1_SHA512, &signature::RSA_PKCS1_2048_8192_SHA512),
    &Verifier(alg_id::RSA_ENCRYPTION, alg_id::RSA_PSS_SHA256, &signature::RSA_PSS_2048_8192_SHA256),
    &Verifier(alg_id::RSA_ENCRYPTION, alg_id::RSA_PSS_SHA384, &signature::RSA_PSS_2048_8192_SHA384),
    &Verifier(alg_id::RSA_ENCRYPTION, alg_id::RSA_PSS_SHA512, &signature::RSA_PSS_2048_8192_SHA512),
];

fn der(text: &Value) -> CertificateDer<'static> {
    let lines = text.as_str().unwrap_or("").lines().filter(|line| !line.starts_with('-'));
    // The program ends soon, and the types borrow.
    CertificateDer::from_slice(base64::decode(lines.collect::<String>()).unwrap_or_default().leak())
}

fn ders(list: &Value) -> Vec<CertificateDer<'static>> {
    list.as_array().map(|values| values.iter().map(der).collect()).unwrap_or_default()
}

/// Seconds since 1970 of a time such as 2026-06-15T12:00:00Z.
fn seconds(text: &str) -> u64 {
    let parts: Vec<i64> = text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    let (year, month, day) = (parts[0], parts[1], parts[2]);
    let shifted = if month > 2 { year } else { year - 1 };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + of_year - 719_468;
    (days * 86_400 + parts[3] * 3_600 + parts[4] * 60 + parts[5]) as u64
}

fn fingerprint(bytes: &[u8]) -> String {
    digest::digest(&digest::SHA256, bytes).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn answer(test: &Value) -> Result<Vec<String>, Error> {
    let (leaf, roots) = (der(&test["peer_certificate"]), ders(&test["trusted_certs"]));
    let others = ders(&test["untrusted_intermediates"]);
    let readable: Vec<(&CertificateDer, TrustAnchor)> =
        roots.iter().filter_map(|one| anchor_from_trusted_cert(one).ok().map(|anchor| (one, anchor))).collect();
    let anchors: Vec<TrustAnchor> = readable.iter().map(|(_, anchor)| anchor.clone()).collect();
    let certificate = EndEntityCert::try_from(&leaf)?;
    let time = UnixTime::since_unix_epoch(Duration::from_secs(seconds(test["validation_time"].as_str().unwrap_or(""))));
    let usage = if test["validation_kind"] == "CLIENT" { KeyUsage::client_auth() } else { KeyUsage::server_auth() };
    let path = certificate.verify_for_usage(ALGORITHMS, &anchors, &others, time, usage, None, None)?;
    match test["expected_peer_name"]["value"].as_str().map(ServerName::try_from) {
        Some(Ok(name)) => certificate.verify_is_valid_for_subject_name(&name)?,
        Some(Err(_)) => return Err(Error::MalformedDnsIdentifier),
        None => (),
    }
    let root = readable.iter().find(|(_, anchor)| anchor == path.anchor()).map(|(one, _)| fingerprint(one));
    let between = path.intermediate_certificates().map(|one| fingerprint(&one.der()));
    Ok([fingerprint(&leaf)].into_iter().chain(between).chain(root).collect())
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let suite: Value = serde_json::from_reader(std::fs::File::open(&words[1]).expect("a file")).expect("JSON");
    println!("{}", json!({"peer": format!("rustls-webpki {}", words[2]), "does": []}));
    for test in suite["testcases"].as_array().expect("testcases") {
        if !test["requires"].as_array().map_or(true, Vec::is_empty) {
            println!("{}", json!({"id": test["id"], "result": "SKIPPED", "reason": null, "path": null}));
            continue;
        }
        let start = Instant::now();
        let found = answer(test);
        let microseconds = start.elapsed().as_micros() as u64;
        println!("{}", json!({
            "id": test["id"], "result": if found.is_ok() { "SUCCESS" } else { "FAILURE" },
            "reason": found.as_ref().err().map(|error| format!("{error:?}")), "path": found.ok(),
            "microseconds": microseconds,
        }));
    }
}
