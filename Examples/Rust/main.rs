//! Judges a chain of certificates with libholdfast.
//!
//!     rustc -l holdfast main.rs && ./main HOST ANCHORS PIN LEAF.der ISSUER.der…
use std::ffi::{c_char, c_void, CStr};
use std::{env, fs, process, ptr};

#[repr(C)] struct Bytes { data: *const c_void, size: usize }

#[repr(C)]
struct Question {
    structure_size: usize, purpose: u32, flags: u32,
    name: *const c_char, name_size: usize, time: i64,
    chain: *const Bytes, chain_count: usize, staple: Bytes, timestamps: Bytes,
}

#[repr(C)] struct RawPolicy { _private: [u8; 0] }
#[repr(C)] struct RawAnswer { _private: [u8; 0] }

const SERVER: u32 = 1; // HOLDFAST_SERVER
const REASON: u32 = 1; // HOLDFAST_REASON

extern "C" {
    fn holdfast_status_text(status: i32) -> *const c_char;
    fn holdfast_policy_new(policy: *mut *mut RawPolicy) -> i32;
    fn holdfast_policy_free(policy: *mut RawPolicy) -> i32;
    fn holdfast_policy_add_anchor_file(policy: *mut RawPolicy, path: *const c_char, size: usize, flags: u32) -> i32;
    fn holdfast_policy_add_pin(
        policy: *mut RawPolicy, pattern: *const c_char, pattern_size: usize, pin: *const c_char, pin_size: usize) -> i32;
    fn holdfast_policy_ask(policy: *mut RawPolicy, question: *const Question, answer: *mut *mut RawAnswer) -> i32;
    fn holdfast_answer_is_trusted(answer: *mut RawAnswer) -> i32;
    fn holdfast_answer_borrow_text(answer: *mut RawAnswer, which: u32, size: *mut usize) -> *const c_char;
    fn holdfast_answer_free(answer: *mut RawAnswer) -> i32;
}

/// What is trusted. A call that fails breaks it, so that it is enough to look at the status of the question.
struct Policy(*mut RawPolicy);

impl Policy {
    fn new(anchors: &str, host: &str, pin: &str) -> Policy {
        let mut policy = ptr::null_mut();
        unsafe {
            holdfast_policy_new(&mut policy);
            holdfast_policy_add_anchor_file(policy, anchors.as_ptr().cast(), anchors.len(), 0);
            holdfast_policy_add_pin(policy, host.as_ptr().cast(), host.len(), pin.as_ptr().cast(), pin.len());
        }
        Policy(policy)
    }

    /// Whether a server is trusted, and why or why not; an error if the question was not answered.
    fn verify(&self, chain: &[Vec<u8>], host: &str) -> Result<(bool, String), String> {
        let bytes = |der: &Vec<u8>| Bytes { data: der.as_ptr().cast(), size: der.len() };
        let none = || Bytes { data: ptr::null(), size: 0 };
        let ders: Vec<Bytes> = chain.iter().map(bytes).collect();
        let question = Question {
            structure_size: size_of::<Question>(), purpose: SERVER, flags: 0,
            name: host.as_ptr().cast(), name_size: host.len(), time: i64::MIN,
            chain: ders.as_ptr(), chain_count: ders.len(), staple: none(), timestamps: none(),
        };
        let mut answer = ptr::null_mut();
        let text = |start| unsafe { CStr::from_ptr(start) }.to_string_lossy().into_owned();
        let status = unsafe { holdfast_policy_ask(self.0, &question, &mut answer) };
        if status != 0 { return Err(text(unsafe { holdfast_status_text(status) })); }
        let reason = text(unsafe { holdfast_answer_borrow_text(answer, REASON, ptr::null_mut()) });
        let trusted = unsafe { holdfast_answer_is_trusted(answer) } == 1;
        unsafe { holdfast_answer_free(answer) };
        Ok((trusted, reason))
    }
}

impl Drop for Policy {
    fn drop(&mut self) { unsafe { holdfast_policy_free(self.0) }; }
}

fn main() {
    let words: Vec<String> = env::args().collect();
    let chain: Vec<Vec<u8>> = words[4..].iter().map(|path| fs::read(path).expect(path)).collect();
    let result = Policy::new(&words[2], &words[1], &words[3]).verify(&chain, &words[1]);
    println!("{result:?}");
    process::exit(if matches!(result, Ok((true, _))) { 0 } else { 1 });
}
