//! The encryption of a message for one browser (RFC 8291), as a body of one record (RFC 8188).

use aes_gcm::{
    Aes128Gcm, KeyInit,
    aead::{Aead, Key, Nonce},
};
use hkdf::Hkdf;
use p256::{PublicKey, SecretKey};
use sha2::Sha256;
use store::PushKeys;

/// Bytes of a salt.
pub(super) const SALT: usize = 16;

/// Size of a record in the header of a body. Push services take bodies of 4,096 bytes.
const RECORD: u32 = 4_096;

/// Maximum number of bytes of a message: a body without its header, the delimiter and the tag.
pub(super) const MAX_MESSAGE: usize = RECORD as usize - (SALT + 4 + 1 + PushKeys::PUBLIC) - 1 - 16;

/// Byte that ends the content of the last record.
const LAST: u8 = 2;

/// Error for keys or a message that cannot be encrypted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum EncryptionError {
    #[error("the public key of the browser is no point of P-256")]
    NoPoint,
    #[error("a message has at most {MAX_MESSAGE} bytes")]
    TooLong,
}

/// Returns the body that the browser with these keys can read. `own` is a key for this body alone.
pub(super) fn encrypt(
    message: &[u8],
    keys: &PushKeys,
    own: &SecretKey,
    salt: [u8; SALT],
) -> Result<Vec<u8>, EncryptionError> {
    if message.len() > MAX_MESSAGE {
        return Err(EncryptionError::TooLong);
    }
    let theirs = point(&keys.public).ok_or(EncryptionError::NoPoint)?;
    let ours = own.public_key().to_sec1_bytes();
    let shared = own.diffie_hellman(&theirs);
    let info = [b"WebPush: info\0".as_slice(), &keys.public, &ours].concat();
    let input: [u8; 32] = derive(&keys.secret, shared.raw_secret_bytes(), &info);
    let key: [u8; 16] = derive(&salt, &input, b"Content-Encoding: aes128gcm\0");
    let nonce: [u8; 12] = derive(&salt, &input, b"Content-Encoding: nonce\0");
    let content = [message, &[LAST]].concat();
    let record = Aes128Gcm::new(&Key::<Aes128Gcm>::from(key))
        .encrypt(&Nonce::<Aes128Gcm>::from(nonce), content.as_slice())
        .expect("a record is far shorter than the cipher's limit");
    let id_length = u8::try_from(ours.len()).expect("a point has 65 bytes");
    Ok([salt.as_slice(), &RECORD.to_be_bytes(), &[id_length], &ours, &record].concat())
}

/// Returns the public key of a browser; `None` if it is none.
pub(super) fn point(bytes: &[u8; PushKeys::PUBLIC]) -> Option<PublicKey> {
    PublicKey::from_sec1_bytes(bytes).ok()
}

fn derive<const N: usize>(salt: &[u8], input: &[u8], info: &[u8]) -> [u8; N] {
    let mut derived = [0; N];
    let expanded = Hkdf::<Sha256>::new(Some(salt), input).expand(info, &mut derived);
    expanded.expect("some bytes are within the limit of 255 blocks");
    derived
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};

    use super::*;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        BASE64_URL_SAFE_NO_PAD.decode(text).unwrap().try_into().unwrap()
    }

    fn keys() -> PushKeys {
        PushKeys {
            public: bytes(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            ),
            secret: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
        }
    }

    fn own() -> SecretKey {
        SecretKey::from_slice(&bytes::<32>("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")).unwrap()
    }

    #[test]
    fn the_example_of_rfc_8291_is_encrypted_byte_for_byte() {
        let message = b"When I grow up, I want to be a watermelon";
        let body = encrypt(message, &keys(), &own(), bytes("DGv6ra1nlYgDCS1FRnbzlw")).unwrap();
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY\
            WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(BASE64_URL_SAFE_NO_PAD.encode(body), expected);
    }

    #[test]
    fn a_body_of_the_longest_message_has_the_size_that_push_services_take() {
        let body = |n_bytes| encrypt(&vec![b'x'; n_bytes], &keys(), &own(), [0; SALT]);
        assert_eq!(body(MAX_MESSAGE).unwrap().len(), 4_096);
        assert_eq!(body(MAX_MESSAGE + 1), Err(EncryptionError::TooLong));
    }

    #[test]
    fn hostile_keys_are_refused() {
        let encrypt = |public| encrypt(b"x", &PushKeys { public, ..keys() }, &own(), [0; SALT]);
        let right = keys().public;
        assert!(encrypt(right).is_ok());
        for first in (0..=u8::MAX).filter(|first| *first != right[0]) {
            let mut public = right;
            public[0] = first;
            assert_eq!(encrypt(public), Err(EncryptionError::NoPoint), "tag {first}");
        }
        for place in 1..PushKeys::PUBLIC {
            let mut public = right;
            public[place] ^= 1;
            assert_eq!(encrypt(public), Err(EncryptionError::NoPoint), "byte {place}: not on the curve");
        }
        for filled in [0, 4, u8::MAX] {
            let mut public = [filled; PushKeys::PUBLIC];
            assert_eq!(encrypt(public), Err(EncryptionError::NoPoint));
            public[0] = 4;
            assert_eq!(encrypt(public), Err(EncryptionError::NoPoint));
        }
    }
}
